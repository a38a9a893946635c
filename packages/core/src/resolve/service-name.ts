/** Services of a cluster by the names that hold inside it: `name` in one's own namespace, `name.namespace.svc` everywhere. Pure. */
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'ws:': 80 };

export interface ServiceName {
  readonly name: string;
  /** Undefined: that of whoever asks. */
  readonly namespace: string | undefined;
  readonly port: number;
}

const NAME = /^([a-z][a-z0-9-]*)(?:\.([a-z0-9-]+)\.svc(?:\..+)?)?$/;

/** Undefined for any other address; and behind `https` only the name itself would do, since the certificate says it. */
export function serviceAt(url: string): ServiceName | undefined {
  const { hostname, port, protocol } = new URL(url);
  const usual = DEFAULT_PORTS[protocol];
  const [, name, namespace] = NAME.exec(hostname) ?? [];
  if (usual === undefined || name === undefined || name === 'localhost') return undefined;
  return { name, namespace, port: Number(port) || usual };
}
