import { type Clock, systemClock } from './clock.ts';

export interface DeadlineOptions {
  readonly ms: number;
  /** Made only when time runs out. */
  readonly error: () => Error;
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock;
}

/** Waits for `work` at most so long: undefined when the time is over first. The work goes on; how it ends is dropped then. */
export function waitAtMost<T>(ms: number, work: Promise<T>, clock: Clock = systemClock): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const cancelTimer = clock.after(ms, () => resolve(undefined));
    work.then(resolve, reject).finally(cancelTimer);
  });
}

/** Waits for `work` as long as the signal is not raised: then it ends with the signal's reason. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort);
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', onAbort));
}

/** Waits for `work`, but no longer than the deadline or the signal allow. A late outcome is dropped, never applied. */
export function withDeadline<T>(work: Promise<T>, options: DeadlineOptions): Promise<T> {
  const { ms, error, signal, clock = systemClock } = options;
  return new Promise<T>((resolve, reject) => {
    const cancelTimer = clock.after(ms, () => finish(() => reject(error())));
    const onAbort = (): void => finish(() => reject(signal?.reason));
    const finish = (settle: () => void): void => {
      cancelTimer();
      signal?.removeEventListener('abort', onAbort);
      settle();
    };
    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort);
    work.then(
      value => finish(() => resolve(value)),
      reason => finish(() => reject(reason)),
    );
  });
}
