/** Servers that are not there, told to a person beside the answer. */
import type { ServerFailure } from '@junctor/core';
import type { Context } from '../context.ts';
import { exitCodeOf, reasonLines } from './problem.ts';

export function tellFailures(context: Context, failures: readonly ServerFailure[]): void {
  for (const { server, error } of failures) {
    context.talk(`warning: MCP server '${server}' unavailable: ${error.message}`);
    for (const line of reasonLines(error)) context.talk(line);
  }
}

/** How a command ends that found nothing, with these servers not there. */
export function exitCodeWithout(failures: readonly ServerFailure[]): number {
  if (failures.length === 0) return 0;
  // Nothing is wrong with what only waits for a person.
  return failures.every(({ error }) => exitCodeOf(error) === 3) ? 3 : 1;
}
