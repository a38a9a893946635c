/** What all lock commands do first: ask the servers, and tell of those that could not be asked. */
import { createHost, inspectLock, type LockInspection } from '@junctor/core';
import { JunctorError } from '@junctor/core/light';
import { type Context, hostOptions } from '../../context.ts';
import { reasonLines } from '../../output/problem.ts';
import { tellWaiting } from '../../output/still-waiting.ts';

export async function inspect(context: Context): Promise<LockInspection> {
  const options = hostOptions(context);
  await using host = await createHost(options);
  using _waiting = tellWaiting(context, host);
  const found = await inspectLock(host, options);
  // Servers that were ended by Ctrl-C are not servers that failed: nothing is told or written of them.
  context.signal.throwIfAborted();
  return found;
}

/** For commands that need one. */
export function expectLock({ file, lock }: LockInspection): void {
  if (lock) return;
  throw new JunctorError('config_unreadable', `There is no lockfile ${file}.`, {
    why: 'without one, no tool is hidden for being new or changed',
    hint: 'write one: junctor lock',
  });
}

/** Tells which servers could not be asked. Returns the exit code that this is worth. */
export function tellFailures(context: Context, { failed }: LockInspection, consequence: string): number {
  for (const { server, error } of failed) {
    context.talk(`warning: MCP server '${server}' could not be asked, ${consequence}: ${error.message}`);
    for (const line of reasonLines(error)) context.talk(line);
  }
  if (failed.length === 0) return 0;
  return failed.every(({ error }) => NEEDS_A_PERSON.has(error.code)) ? 3 : 1;
}

const NEEDS_A_PERSON: ReadonlySet<string> = new Set(['trust_required', 'auth_required']);
