/** Who may talk to the hub at all: no page of another site, no name that was pointed at this machine from outside. */
import type { IncomingMessage } from 'node:http';
import { LOOPBACK_NAMES } from '@junctor/core/internal';

/** Some clients write the last one without its brackets. */
const LOOPBACK: ReadonlySet<string> = new Set([...LOOPBACK_NAMES, '::1']);

export interface GuardOptions {
  /** Names besides loopback under which this hub is reached. */
  readonly hosts: ReadonlySet<string>;
}

/** Undefined when the request may pass, else the reason it may not. */
export function refusalOf(request: IncomingMessage, { hosts }: GuardOptions): string | undefined {
  const { host, origin } = request.headers;
  const isKnown = (name: string): boolean => LOOPBACK.has(name) || hosts.has(name) || isAddressOf(request, name);
  // A DNS name that resolves to 127.0.0.1 arrives with that name in Host: that is how a web page reaches local servers.
  if (host === undefined || !isKnown(hostname(host)))
    return `Host '${host ?? ''}' is not one this hub serves: start it with --public-url or --allow-host to name it`;
  if (origin !== undefined && !isKnown(originHost(origin)))
    return `Origin '${origin}' may not use this hub: start it with --public-url or --allow-host to name it`;
  return undefined;
}

/** The number of a pod is known to nobody beforehand. Where the connection came to that very number, no name was pointed at it. */
function isAddressOf({ socket: { localAddress = '' } }: IncomingMessage, name: string): boolean {
  const address = localAddress.replace(/^::ffff:/, '');
  return address !== '' && name === (address.includes(':') ? `[${address}]` : address);
}

function hostname(host: string): string {
  const end = host.startsWith('[') ? host.indexOf(']') + 1 : host.indexOf(':');
  return (end > 0 ? host.slice(0, end) : host).toLowerCase();
}

function originHost(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).hostname.toLowerCase() : '';
}
