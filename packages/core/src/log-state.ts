import type { JunctorError } from './base/error.ts';
import type { Log } from './base/log.ts';
import type { Skipped } from './catalogue/collect.ts';
import type { LinkState } from './link/link.ts';

/** Coming and going is news; what failed is a warning, since the rest goes on. */
export function logState(log: Log, server: string, state: LinkState): void {
  if (!('lastError' in state)) log.info(`server '${server}' is ${state.kind}`);
  else log.warn(`MCP server '${server}' unavailable: ${state.lastError.message}`, evidence(state.lastError));
}

/** How many tools a server offers; those that cannot be used are a trouble, and the rest is there all the same. */
export function logListed(log: Log, server: string, count: number, skipped: readonly Skipped[]): void {
  log.info(`server '${server}' offers ${count} tools`);
  for (const { name, because } of skipped) log.warn(`server '${server}': tool '${name}' is left out: ${because}`);
}

function evidence({ code, why }: JunctorError): object {
  return why === undefined ? { code } : { code, why };
}
