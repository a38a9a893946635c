/** The hub's address as agents on an executor have to call it, and what keeps them from it. */
import { request } from 'node:http';
import { policyFor, rewriteUrl, siteOf } from '@junctor/core/config-read';
import { isLoopback } from '@junctor/core/internal';
import type { HubFile } from '@junctor/hub';
import type { Context } from '../context.ts';
import { HubRest } from '../hub/hub-rest.ts';
import { approvedConfig } from './approved-config.ts';

export interface HubThere {
  readonly url: string;
  /** Why agents there do not reach it, and what to do. Undefined where nothing is known to be in their way. */
  readonly obstacle?: string;
}

export interface Asked {
  readonly agent: string;
  readonly executor: string | undefined;
  /** Undefined: none runs now. */
  readonly hub: HubFile | undefined;
  /** Where it listens, or usually does. */
  readonly url: string;
}

const EVERYWHERE = new Set(['0.0.0.0', '[::]']);

/** A hub on this machine answers at once; one that does not is no reason to wait. */
const PROBE_MS = 2000;

export async function hubThere(context: Context, asked: Asked): Promise<HubThere> {
  const { agent, executor = 'local', hub } = asked;
  const listens = new URL(asked.url);
  const isEverywhere = EVERYWHERE.has(listens.hostname);
  const here = isEverywhere ? withHost(asked.url, '127.0.0.1') : asked.url;
  if (executor === 'local') return { url: here };
  const { config } = await approvedConfig(context);
  const policy = policyFor(config.frame, executor, agent);
  if (policy.local || siteOf(executor, policy)?.kind === 'sandbox')
    return { url: rewriteUrl(here, policy.http_url_rewrite) };
  const known = hub && (await publicUrl(context));
  const url = rewriteUrl(known ?? here, policy.http_url_rewrite);
  if (known !== undefined) return { url };
  const there = new URL(url);
  const { hostname, port, host } = there;
  const start = (options: string): string => context.commands.line(`hub ${options}`);
  if (isLoopback(there)) {
    const how = `${start('--host ADDRESS --public-url URL')}, or forward port ${port} of that place to ${here}`;
    return { url, obstacle: `${url} leads to their own machine there, not to the hub. Name an address for it: ${how}` };
  }
  const open = start(`--host 0.0.0.0 --allow-host ${hostname}`);
  // Docker Desktop leads this name to the loopback of the machine; on Linux it is another address of it.
  if (!isEverywhere && isLoopback(listens) && context.surroundings.platform === 'linux')
    return { url, obstacle: `the hub listens on ${listens.host} alone, which is not ${hostname}. Open it: ${open}` };
  if (hub && !(await serves(here, host)))
    return { url, obstacle: `the hub refuses the name ${hostname}. Allow it: ${open}` };
  return { url };
}

function withHost(url: string, hostname: string): string {
  const changed = new URL(url);
  changed.hostname = hostname;
  return changed.href.replace(/\/$/, '');
}

async function publicUrl(context: Context): Promise<string | undefined> {
  const rest = await HubRest.find(context);
  const health = await rest?.ask<{ public_url: string | null }>('/api/health').catch(() => undefined);
  return health?.public_url ?? undefined;
}

/** Whether the hub takes requests under this name. */
function serves(url: string, host: string): Promise<boolean> {
  return new Promise(resolve => {
    const probe = request(`${url}/mcp/default`, { headers: { host }, timeout: PROBE_MS }, response => {
      response.resume();
      resolve(response.statusCode !== 403);
    });
    probe.on('timeout', () => probe.destroy(new Error('no answer')));
    // Nobody can say: the address is not called wrong for that.
    probe.on('error', () => resolve(true));
    probe.end();
  });
}
