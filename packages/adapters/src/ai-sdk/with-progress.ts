/** A call as the AI SDK streams it: each progress as a preliminary result, the answer as the last. */
import type { RunOptions } from '../toolbox/options.ts';

/** What a server says while a call runs. */
export interface ToolProgress {
  /** How far it is; it only ever rises. */
  readonly progress: number;
  /** How far it goes, where the server says. */
  readonly total?: number;
  /** What the server says about it. */
  readonly message?: string;
}

/** What a call is given here. */
interface Followed {
  readonly signal: AbortSignal;
  readonly onProgress: NonNullable<RunOptions['onProgress']>;
}

export async function* withProgress<Answer>(
  run: (options: Followed) => Promise<Answer>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ToolProgress | Answer, void, undefined> {
  const news: ToolProgress[] = [];
  let wake: () => void = () => {};
  const left = new AbortController();
  const calling = run({
    signal: signal ? AbortSignal.any([signal, left.signal]) : left.signal,
    onProgress: ({ progress, total, message }) => {
      news.push({
        progress,
        ...(typeof total === 'number' ? { total } : {}),
        ...(typeof message === 'string' ? { message } : {}),
      });
      wake();
    },
  });
  let over = false;
  const ended = calling.then(
    () => {
      over = true;
    },
    () => {
      over = true;
    },
  );
  try {
    while (!over) {
      const heard = new Promise<void>(resolve => {
        wake = resolve;
      });
      if (news.length === 0) await Promise.race([heard, ended]);
      yield* news.splice(0);
    }
    yield* news.splice(0);
    yield await calling;
  } finally {
    // Whoever stops listening has given the call up.
    if (!over) left.abort();
  }
}
