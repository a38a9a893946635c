import { type TestContext, test } from 'vitest';

/** A test that proves clauses of docs/promises.md. The gate reads the ids from its name. */
export function promise(
  clauses: string | readonly string[],
  title: string,
  run: (context: TestContext) => Promise<void> | void,
  timeoutMs?: number,
): void {
  const ids = typeof clauses === 'string' ? [clauses] : clauses;
  test(`[${ids.join(' ')}] ${title}`, run, timeoutMs);
}
