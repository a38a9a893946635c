/** Tries a misbehaving server out beside a well-behaved one, which must notice nothing. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createHost, type Host, isJunctorError, type McpServerInput } from '@junctor/core';
import { testServer, trusted } from '@junctor/testkit';
import { expect } from 'vitest';

export interface Case {
  readonly name: string;
  readonly server: object;
  /** What is tried with it; errors become their code and sentence. */
  readonly attempt: (tries: Tries) => Promise<unknown>;
  readonly outcome: unknown;
  readonly state: 'ready' | 'error' | 'auth_required';
  /** How much more memory than before this process may hold meanwhile. */
  readonly withinMiB?: number;
}

export interface Tries {
  readonly host: Host;
  call(tool: string, args?: object): Promise<unknown>;
  list(): Promise<unknown>;
}

/** A host with the misbehaving server, and a well-behaved one that must notice nothing. */
export function hostBeside(server: object): Promise<Host> {
  return createHost({
    config: { version: 1, servers: { bad: trusted(server as McpServerInput), good: trusted(testServer()) } },
    attempts: 1,
  });
}

export async function tryOut(
  host: Host,
  row: Pick<Case, 'attempt' | 'state' | 'withinMiB'>,
  outcome: unknown,
): Promise<void> {
  const pid = await host.call({ server: 'good', tool: 'pid' });
  const goodStates: string[] = [];
  host.events.on('state-changed', ({ server, state }) => {
    if (server === 'good') goodStates.push(state.kind);
  });
  const steps: number[] = [];
  const meanwhile = host.call(
    { server: 'good', tool: 'slow' },
    { ms: 500 },
    { onProgress: ({ progress }) => steps.push(progress) },
  );
  meanwhile.catch(() => {}); // when this test fails, that is what it fails with
  using memory = watchMemory(row.withinMiB);
  const tries: Tries = {
    host,
    call: (tool, args) => orError(host.call({ server: 'bad', tool }, args).then(({ output }) => output)),
    // Asked anew: what was listed before a crash would be answered from memory.
    list: () => {
      host.invalidate('bad');
      return orError(host.collect('bad').then(tools => tools.map(({ name }) => name)));
    },
  };
  expect(await row.attempt(tries)).toEqual(outcome);
  expect(host.links.state('bad').kind).toBe(row.state);
  if (row.withinMiB !== undefined) expect(memory.grownMiB()).toBeLessThan(row.withinMiB);
  expect((await meanwhile).output).toBe('waited 500 ms');
  expect(steps).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(await host.call({ server: 'good', tool: 'pid' })).toEqual(pid);
  expect(goodStates).toEqual([]);
}

/** What an attempt ends with that fails so. */
export function error(code: string, message: string | RegExp): object {
  return { code, message: typeof message === 'string' ? message : expect.stringMatching(message) };
}

async function orError(work: Promise<unknown>): Promise<unknown> {
  try {
    return await work;
  } catch (reason) {
    if (!isJunctorError(reason)) throw reason;
    return { code: reason.code, message: reason.message };
  }
}

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

/** Buffers go with the second round: the first only finds them unused. */
function collectGarbage(): void {
  gc();
  gc();
}

function held(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const LOOK_EVERY_MS = 10;
const MIB = 1024 * 1024;

/**
 * The most this process held beyond what it held at first: objects, and buffers beside them. Where that is above the limit,
 * what nobody holds any more is collected before it is counted: when that happens by itself is the machine's business.
 */
function watchMemory(limitMiB = Number.POSITIVE_INFINITY): Disposable & { grownMiB(): number } {
  // Garbage of what ran before would hide as much growth when it is collected.
  if (Number.isFinite(limitMiB)) collectGarbage();
  const before = held();
  const grown = (): number => (held() - before) / MIB;
  let most = 0;
  const look = (): void => {
    if (grown() > limitMiB) collectGarbage();
    most = Math.max(most, grown());
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    grownMiB() {
      look();
      return most;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
