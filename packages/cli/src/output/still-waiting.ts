/** A word to the person at the terminal when servers take long: some are tried again and again, for minutes. */
import type { Context } from '../context.ts';

/** Sooner, it would be told of servers that merely start. */
const TOLD_AFTER_MS = 3000;

/** Until it is disposed. `pending`: the servers that have not answered yet. */
export function tellWaiting(context: Context, pending: () => readonly string[]): Disposable {
  if (!context.interactive) return { [Symbol.dispose]() {} };
  const timer = setTimeout(() => {
    const names = pending().map(id => `'${id}'`);
    if (names.length > 0) context.talk(`still waiting for ${names.join(', ')} … (Ctrl-C stops)`);
  }, TOLD_AFTER_MS);
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}
