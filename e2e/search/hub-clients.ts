/** Clients of either era at an agent's door, as far as tests of searching need them. */
import { makeHome, type RunningHub, startHub } from '@junctor/testkit';
import { modernAnswer } from '../hub/modern-rpc.ts';
import { RawClient } from '../hub/rpc.ts';

type Params = Record<string, unknown>;

export interface SearchingClient {
  ask(method: string, params?: Params): Promise<Params>;
}

export interface SearchScene extends AsyncDisposable {
  readonly hub: RunningHub;
  /** A session of the older era. */
  open(agent?: string): Promise<SearchingClient>;
  /** A client of 2026-07-28. */
  modern(agent?: string): SearchingClient;
}

export async function hubWith(servers: Record<string, object>, frame: object = {}): Promise<SearchScene> {
  const home = await makeHome();
  const hub = await startHub(home, { version: 1, servers, ...frame });
  return {
    hub,
    async open(agent = 'codex') {
      const client = await RawClient.open(hub, `/mcp/${agent}`);
      let id = 0;
      return {
        ask: async (method, params = {}) => resultOf((await client.messages({ id: ++id, method, params })).at(-1)),
      };
    },
    modern: (agent = 'codex') => ({
      ask: async (method, params = {}) => resultOf(await modernAnswer(hub, `/mcp/${agent}`, { method, params })),
    }),
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

/** What it is offered, as text: compared byte for byte. */
export async function definitions(client: SearchingClient): Promise<string> {
  return JSON.stringify(await client.ask('tools/list'));
}

export async function listed(client: SearchingClient): Promise<string[]> {
  const { tools } = await client.ask('tools/list');
  return (tools as { name: string }[]).map(({ name }) => name);
}

export async function call(client: SearchingClient, name: string, args: object = {}): Promise<Called> {
  const { content, isError = false } = await client.ask('tools/call', { name, arguments: args });
  return { text: (content as { text: string }[]).map(({ text }) => text).join('\n'), failed: isError as boolean };
}

export interface Called {
  readonly text: string;
  readonly failed: boolean;
}

function resultOf(answer: { readonly result?: object; readonly error?: object } | undefined): Params {
  if (!answer?.result) throw new Error(JSON.stringify(answer?.error));
  return answer.result as Params;
}
