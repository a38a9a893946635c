import { isJunctorError, type JunctorError, sentenceOf } from '../../base/error.ts';
import type { Log } from '../../base/log/log.ts';
import type { Skipped } from '../../catalogue/lists/lists.ts';
import type { LinkState } from '../../connections/link.ts';

/** Coming and going is news; what failed is a warning, since the rest goes on. */
export function logState(log: Log, server: string, state: LinkState): void {
  if (state.kind === 'connecting' && state.attempt > 1)
    log.info(`server '${server}' is tried again (${state.attempt}): ${state.lastError?.message}`);
  else if (state.kind === 'connecting' || !('lastError' in state)) log.info(`server '${server}' is ${state.kind}`);
  else log.warn(`MCP server '${server}' unavailable: ${state.lastError.message}`, evidence(state.lastError));
}

/** How many tools a server offers; those that cannot be used are a trouble, and the rest is there all the same. */
export function logListed(log: Log, server: string, count: number, skipped: readonly Skipped[]): void {
  log.info(`server '${server}' offers ${count} tools`);
  for (const { name, because } of skipped) log.warn(`server '${server}': tool '${name}' is left out: ${because}`);
}

/** The tools of a server could not be read, though it is connected: what it listed last stands in. */
export function logUnlisted(log: Log, server: string, error: unknown): void {
  log.warn(
    `server '${server}': its tools could not be listed: ${sentenceOf(error)}`,
    isJunctorError(error) ? evidence(error) : {},
  );
}

function evidence({ code, why }: JunctorError): object {
  return why === undefined ? { code } : { code, why };
}
