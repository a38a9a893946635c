/** One server in full, as it is now. */
import type { Host, ServerStatus } from '@junctor/core';
import { cell } from '../table.ts';
import { sourceName } from './list.ts';

export function detailsOf(host: Host, id: string): string[] {
  const status = statusOf(host, id);
  const { transport, source, enabled, state, tools, last_error, last_connected_at, protocol_version, latency_ms } =
    status;
  const facts: [string, string | undefined][] = [
    ['id', id],
    ['transport', transport],
    ['source', sourceName(source)],
    ['enabled', String(enabled)],
    ['state', state],
    ['tools', String(tools)],
    ['last_connected_at', last_connected_at ?? 'never'],
    ['last_error', last_error && cell(`${last_error.message} (${last_error.code})`, 500)],
    ['  why', last_error?.why && cell(last_error.why, 1000)],
    ['  try', state === 'auth_required' ? `/mcp auth ${id}` : last_error?.hint],
    ['protocol_version', protocol_version],
    ['latency_ms', latency_ms === undefined ? undefined : String(latency_ms)],
  ];
  return factLines(facts);
}

export function factLines(facts: readonly (readonly [string, string | undefined])[]): string[] {
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [`${name.padEnd(18)} ${value}`]));
}

export function statusOf(host: Host, id: string): ServerStatus {
  const status = host.status().find(one => one.id === id);
  // Throws the same sentence as everywhere for an id that nobody defines.
  if (!status) host.links.expect(id);
  return status as ServerStatus;
}
