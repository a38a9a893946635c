/** Who may talk to the hub at all: no page of another site, no name that was pointed at this machine from outside. */
import type { IncomingMessage } from 'node:http';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

export interface GuardOptions {
  /** Names besides loopback under which this hub is reached. */
  readonly hosts: ReadonlySet<string>;
}

/** Undefined when the request may pass, else the reason it may not. */
export function refusalOf(request: IncomingMessage, { hosts }: GuardOptions): string | undefined {
  const { host, origin } = request.headers;
  // A DNS name that resolves to 127.0.0.1 arrives with that name in Host: that is how a web page reaches local servers.
  if (host === undefined || !isKnown(hostname(host), hosts)) return `Host '${host ?? ''}' is not one this hub serves`;
  if (origin !== undefined && !isKnown(originHost(origin), hosts)) return `Origin '${origin}' may not use this hub`;
  return undefined;
}

function isKnown(name: string, hosts: ReadonlySet<string>): boolean {
  return LOOPBACK.has(name) || hosts.has(name);
}

function hostname(host: string): string {
  const end = host.startsWith('[') ? host.indexOf(']') + 1 : host.indexOf(':');
  return (end > 0 ? host.slice(0, end) : host).toLowerCase();
}

function originHost(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).hostname.toLowerCase() : '';
}
