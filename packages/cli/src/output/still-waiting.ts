/** A line on stderr when servers take long: a command that waits must not look as if it hung. */
import type { Context } from '../context.ts';

/** Sooner, it would be told of servers that merely start. */
const TOLD_AFTER_MS = 3000;
/** A script reads it later, in a log: there only a long wait is worth a line. */
const TOLD_IN_SCRIPTS_AFTER_MS = 10_000;

/** Until it is disposed. `pending`: the servers that have not answered yet. */
export function tellWaiting(context: Context, pending: () => readonly string[]): Disposable {
  if (context.errand) return { [Symbol.dispose]() {} };
  const timer = setTimeout(
    () => {
      const names = pending().map(id => `'${id}'`);
      if (names.length > 0) context.talk(`still waiting for ${names.join(', ')} … (Ctrl-C stops)`);
    },
    context.interactive ? TOLD_AFTER_MS : TOLD_IN_SCRIPTS_AFTER_MS,
  );
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}
