/** A server whose lists a test changes under way, and what it was asked. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, createHost, type Host, type HostOptions } from '@junctor/core';
import { type Home, makeHome, misbehaving, trusted } from '@junctor/testkit';

export interface Lists {
  /** By name, or with a whole definition. */
  readonly tools?: readonly (string | { readonly name: string; readonly [field: string]: unknown })[];
  readonly resources?: readonly string[];
  readonly prompts?: readonly string[];
  /** How long it says that a list counts. */
  readonly ttlMs?: number;
}

export interface ChangingServer extends AsyncDisposable {
  readonly home: Home;
  readonly definition: ReturnType<typeof misbehaving>;
  /** From now on it offers these, and tells nobody. */
  offer(lists: Lists): Promise<void>;
  /** How often this method was asked, over all its processes. */
  asked(method: string): Promise<number>;
  /** Whether its program can be started. */
  down(down: boolean): Promise<void>;
  host(options?: HostOptions): Promise<Host>;
}

export async function changingServer(lists: Lists = { tools: ['one'] }): Promise<ChangingServer> {
  const home = await makeHome();
  const folder = home.path;
  const offer = async (next: Lists): Promise<void> => writeFile(join(folder, 'lists.json'), JSON.stringify(next));
  await offer(lists);
  const definition = misbehaving('changes-lists', folder);
  return {
    home,
    definition,
    offer,
    async asked(method) {
      const methods = await readFile(join(folder, 'asked'), 'utf8').catch(() => '');
      return methods.split('\n').filter(line => line === method).length;
    },
    down: down => (down ? writeFile(join(folder, 'down'), '') : rm(join(folder, 'down'))),
    host: options =>
      createHost({ config: { servers: { c: trusted(definition) } }, data: home.data, attempts: 1, ...options }),
    [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
  };
}

/** The tools a test has put on the list, without those the server always has. */
export async function toolsOf(host: Host): Promise<string[]> {
  return shown((await host.snapshot()).entries);
}

const ALWAYS = new Set(['announce', 'touch', 'crash', 'pid']);

export function shown(entries: readonly { readonly tool: string }[]): string[] {
  return entries.map(({ tool }) => tool).filter(tool => !ALWAYS.has(tool));
}

/** The server says `times` times that its list changed; resolves when the host has heard it. */
export async function announce(host: Host, list: string, times = 1): Promise<void> {
  await host.call({ server: 'c', tool: 'announce' }, { list, times });
}

/** A clock that a test moves. */
export function movableClock(): Clock & { pass(ms: number): void } {
  let now = Date.now();
  return {
    now: () => now,
    after: (ms, task) => {
      const timer = setTimeout(task, ms);
      return () => clearTimeout(timer);
    },
    pass(ms) {
      now += ms;
    },
  };
}
