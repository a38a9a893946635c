/**
 * The proxy that the environment names (`HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`, in capitals or not). Node's agents speak to it,
 * with CONNECT for https. Servers on this machine are never asked for through it: a proxy has another loopback.
 */
import type { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { isLoopback } from '../../base/network/loopback.ts';
import { http } from '../../base/network/node-http.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** What an agent takes as `proxyEnv`; undefined where requests to this address go there directly. */
export function proxyFor(url: URL, environment: Variables): Record<string, string> | undefined {
  const names =
    url.protocol === 'https:' || url.protocol === 'wss:'
      ? ['https_proxy', 'HTTPS_PROXY']
      : ['http_proxy', 'HTTP_PROXY'];
  if (isLoopback(url) || !names.some(name => environment[name])) return undefined;
  const given = [...names, 'no_proxy', 'NO_PROXY'].map(name => [name, environment[name]] as const);
  return Object.fromEntries(given.filter((pair): pair is [string, string] => Boolean(pair[1])));
}

/** For one request: nobody keeps its connection. */
export function proxyAgent(url: URL, proxyEnv: Record<string, string>): Agent {
  return new (url.protocol === 'http:' ? http.Agent : SecureAgent)({ proxyEnv });
}
