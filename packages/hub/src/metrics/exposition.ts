/** The text format of Prometheus: https://prometheus.io/docs/instrumenting/exposition_formats. Pure. */

export type Labels = Readonly<Record<string, string>>;
export type Sample = readonly [labels: Labels, value: number];

export function counter(name: string, help: string, samples: readonly Sample[]): string[] {
  return metric(name, 'counter', help, samples);
}

export function gauge(name: string, help: string, samples: readonly Sample[]): string[] {
  return metric(name, 'gauge', help, samples);
}

/** One number without labels. */
export function single(value: number): readonly Sample[] {
  return [[{}, value]];
}

export interface Distribution {
  readonly labels: Labels;
  /** How many were within each end. */
  readonly within: ReadonlyMap<number, number>;
  readonly count: number;
  readonly sum: number;
}

export function histogram(name: string, help: string, distributions: readonly Distribution[]): string[] {
  const lines = distributions.flatMap(({ labels, within, count, sum }) => [
    ...[...within].map(([end, value]) => line(`${name}_bucket`, { ...labels, le: String(end) }, value)),
    line(`${name}_bucket`, { ...labels, le: '+Inf' }, count),
    line(`${name}_sum`, labels, sum),
    line(`${name}_count`, labels, count),
  ]);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...lines];
}

function metric(name: string, type: string, help: string, samples: readonly Sample[]): string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(([labels, value]) => line(name, labels, value)),
  ];
}

function line(name: string, labels: Labels, value: number): string {
  const inside = Object.entries(labels).map(([key, text]) => `${key}="${escaped(text)}"`);
  return `${name}${inside.length === 0 ? '' : `{${inside.join(',')}}`} ${value}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
