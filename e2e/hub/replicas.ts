/** Several hubs on one database, with a server that their sessions share. */
import { makeHome, processesMarked, type RunningHub, startHub, testServer, trusted } from '@junctor/testkit';
import { RawClient } from './rpc.ts';

const MARK = 'LC_REPLICAS_TEST';
const CONFIG = { version: 1, servers: { demo: { ...trusted(testServer()), mode: 'shared' } } };

/** Hubs on one database, whose servers are known by a mark. */
export class Replicas implements AsyncDisposable {
  readonly #database: string;
  readonly #mark: string = String(Math.random());
  readonly #open: AsyncDisposable[] = [];

  constructor(database: string) {
    this.#database = database;
  }

  async start(): Promise<RunningHub> {
    const home = await makeHome();
    home.env[MARK] = this.#mark;
    const hub = await startHub(home, CONFIG, ['--database', this.#database]);
    this.#open.push(home, hub);
    return hub;
  }

  /** Processes of test servers that run now, at whichever hub. */
  running(): number {
    const found = processesMarked(`${MARK}=${this.#mark}`);
    return found.filter(({ command }) => command.includes('test-server')).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const one of this.#open.reverse()) await one[Symbol.asyncDispose]();
  }
}

export const textOf = (messages: readonly { result?: object }[]): string =>
  (messages.at(-1)?.result as { content: { text: string }[] } | undefined)?.content[0]?.text ??
  JSON.stringify(messages);

export async function pidAt(hub: RunningHub): Promise<string> {
  return textOf(await (await RawClient.open(hub, '/servers/demo/mcp')).call(1, 'pid', {}));
}
