/** Lines on stderr while a command waits for servers: it must not look as if it hung. */
import type { Host } from '@junctor/core';
import type { Context } from '../context.ts';

/** Sooner, it would be told of servers that merely start. */
const TOLD_AFTER_MS = 3000;
/** A script reads it later, in a log: there only a long wait is worth a line. */
const TOLD_IN_SCRIPTS_AFTER_MS = 10_000;

/** Until it is disposed. `pending`: the servers that are waited for. Default: all that are being connected. */
export function tellWaiting(
  context: Context,
  host: Pick<Host, 'events' | 'status' | 'mask'>,
  pending: () => readonly string[] = () => connectingOf(host),
): Disposable {
  if (context.errand) return { [Symbol.dispose]() {} };
  const reported = new Set<string>();
  const stopListening = host.events.on('state-changed', ({ server, state }) => {
    // Once for each server, however often it is connected: the command reports at its end what became of it.
    if (state.kind !== 'connecting' || state.attempt !== 2 || !state.lastError || reported.has(server)) return;
    if (!pending().includes(server)) return;
    reported.add(server);
    context.talk(`${host.mask(state.lastError.message).replace(/\.$/, '')}; trying again …`);
  });
  const timer = setTimeout(
    () => {
      const names = pending().map(id => `'${id}'`);
      if (names.length > 0) context.talk(`still waiting for ${names.join(', ')} … (Ctrl-C stops)`);
    },
    context.interactive ? TOLD_AFTER_MS : TOLD_IN_SCRIPTS_AFTER_MS,
  );
  return {
    [Symbol.dispose]() {
      clearTimeout(timer);
      stopListening();
    },
  };
}

export function connectingOf(host: Pick<Host, 'status'>): readonly string[] {
  return host.status().flatMap(({ id, state }) => (state === 'connecting' ? [id] : []));
}
