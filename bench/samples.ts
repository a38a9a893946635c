/** Everything measured in a run: kept for the tables, and written down as it comes, one JSON line each. */
import { appendFileSync, mkdirSync } from 'node:fs';
import { loadavg } from 'node:os';
import { dirname } from 'node:path';
import { median } from './statistics.ts';

export type Values = Readonly<Record<string, number>>;

/** What was measured, on whom. */
export interface Subject {
  readonly workload: string;
  /** Which of the workload's cases: a transport, a size, a number of servers. */
  readonly variant: string;
  readonly contestant: string;
}

export interface Sample extends Subject {
  readonly round: number;
  readonly loadAverage: number;
  readonly values: Values;
  readonly error?: string;
}

export class Samples {
  readonly #samples: Sample[] = [];
  readonly #file: string;

  constructor(file: string, about: object) {
    mkdirSync(dirname(file), { recursive: true });
    this.#file = file;
    this.#write(about);
  }

  add(subject: Subject, round: number, outcome: Values | Error): Sample {
    const measured =
      outcome instanceof Error ? { values: {}, error: outcome.message.slice(0, 500) } : { values: outcome };
    const sample = { ...subject, round, loadAverage: loadavg()[0] ?? 0, ...measured };
    this.#samples.push(sample);
    this.#write(sample);
    return sample;
  }

  /** One number a round. */
  values(subject: Subject, metric: string): number[] {
    return this.#of(subject)
      .map(sample => sample.values[metric] ?? Number.NaN)
      .filter(Number.isFinite);
  }

  /** One ratio a round, taken against the baseline of the same round. */
  ratios(subject: Subject, baseline: Subject, metric: string): number[] {
    const base = new Map(this.#of(baseline).map(sample => [sample.round, sample.values[metric]]));
    return this.#of(subject)
      .map(sample => (sample.values[metric] ?? Number.NaN) / (base.get(sample.round) ?? Number.NaN))
      .filter(Number.isFinite);
  }

  /** Whether the subject took part at all. */
  has(subject: Subject): boolean {
    return this.#of(subject).length > 0;
  }

  /** What went wrong, with everybody or with one. */
  errors(subject?: Subject): readonly Sample[] {
    return (subject ? this.#of(subject) : this.#samples).filter(sample => sample.error !== undefined);
  }

  /** The load of the machine while this ran: a table from a busy machine should say so. */
  medianLoad(): number {
    return median(this.#samples.map(sample => sample.loadAverage));
  }

  #of({ workload, variant, contestant }: Subject): Sample[] {
    return this.#samples.filter(
      sample => sample.workload === workload && sample.variant === variant && sample.contestant === contestant,
    );
  }

  #write(line: object): void {
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }
}
