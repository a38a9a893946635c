import type { HostOptions } from '@junctor/core';

type Clock = NonNullable<HostOptions['clock']>;

/** A clock that only a test moves. */
export function handClock(): Clock & { readonly pending: number; pass(ms: number): void } {
  let now = Date.now();
  const tasks = new Map<() => void, number>();
  return {
    now: () => now,
    /** How many wait for it. */
    get pending() {
      return tasks.size;
    },
    after(ms, task) {
      const run = (): void => task();
      tasks.set(run, now + ms);
      return () => tasks.delete(run);
    },
    pass(ms) {
      now += ms;
      for (const [task, at] of tasks) {
        if (at > now) continue;
        tasks.delete(task);
        task();
      }
    },
  };
}
