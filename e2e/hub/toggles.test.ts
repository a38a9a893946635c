/** A server that was switched off and on again works, however that was done and for every client. */
import { once } from 'node:events';
import { makeHome, promise, type RunningHub, startHub, testServer, trusted } from '@junctor/testkit';
import { expect } from 'vitest';
import { firstLine, start } from '../command-line/sdk-client.ts';
import { modernAnswer } from './modern-rpc.ts';
import { asPosted, post, rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';
import { settled } from './settled.ts';

const SERVERS = ['own', 'shared', 'web'] as const;
const AGENT = 'codex';

interface Toggle {
  off(hub: RunningHub, server: string): Promise<number>;
  on(hub: RunningHub, server: string): Promise<number>;
}

const send = async (hub: RunningHub, method: string, path: string, body?: object): Promise<number> =>
  (await rest(hub, path, { method, body })).status;

const ALLOW_NOTHING = { allow_stdio: false, allow_http: false, allow_sse: false, allow_streamable_http: false };

function toggles(servers: Readonly<Record<string, { readonly transport: string }>>): Record<string, Toggle> {
  const posted = Object.fromEntries(Object.entries(servers).map(([id, server]) => [id, asPosted(server)]));
  const switched = async (hub: RunningHub, enabled: boolean) =>
    (await post(hub, AGENT, { enabled, servers: posted })).status;
  return {
    'disabled and enabled': {
      off: (hub, server) => send(hub, 'PATCH', `/api/servers/${server}`, { enabled: false }),
      on: (hub, server) => send(hub, 'PATCH', `/api/servers/${server}`, { enabled: true }),
    },
    'deleted and restored': {
      off: (hub, server) => send(hub, 'DELETE', `/api/servers/${server}`),
      on: (hub, server) => send(hub, 'POST', `/api/servers/${server}/restore`),
    },
    'forbidden by a policy and allowed again': {
      off: hub => send(hub, 'PUT', '/api/executors/local', ALLOW_NOTHING),
      on: hub => send(hub, 'DELETE', '/api/executors/local'),
    },
    'taken from its agent and given back': {
      off: hub => switched(hub, false),
      on: hub => switched(hub, true),
    },
  };
}

interface Client {
  readonly name: string;
  /** The text that the server echoes, or what else came. */
  echo(server: string): Promise<unknown>;
}

async function clientsOf(hub: RunningHub, run: string): Promise<Client[]> {
  const name = { name: run, version: '1' };
  const meta = { 'io.modelcontextprotocol/clientInfo': name };
  const agent = await RawClient.open(hub, `/mcp/${AGENT}`, name);
  const single = new Map<string, RawClient>();
  for (const server of SERVERS) single.set(server, await RawClient.open(hub, `/servers/${server}/mcp`, name));
  const modern = (path: string, tool: string) =>
    modernAnswer(hub, path, { method: 'tools/call', params: { name: tool, arguments: { text: run } }, meta });
  return [
    {
      name: 'agent endpoint, legacy',
      echo: async server => textOf((await agent.call(run, `${server}_echo`, { text: run })).at(-1)),
    },
    { name: 'agent endpoint, modern', echo: async server => textOf(await modern(`/mcp/${AGENT}`, `${server}_echo`)) },
    {
      name: 'server endpoint, legacy',
      echo: async server => textOf((await single.get(server)?.call(run, 'echo', { text: run }))?.at(-1)),
    },
    { name: 'server endpoint, modern', echo: async server => textOf(await modern(`/servers/${server}/mcp`, 'echo')) },
  ];
}

function textOf(answer: object | undefined): unknown {
  const { result } = (answer ?? {}) as { result?: { content?: { text: string }[] } };
  return result?.content?.[0]?.text ?? answer;
}

async function echoes(clients: readonly Client[], run: string): Promise<void> {
  for (const server of SERVERS)
    for (const { name, echo } of clients) expect([server, name, await echo(server)]).toEqual([server, name, run]);
}

for (const how of Object.keys(toggles({}))) {
  promise('5.4i', `a server that was ${how} works again, twice, for old and new sessions`, async () => {
    await using home = await makeHome();
    const remote = start(home, 'test-server', '--http', '0');
    try {
      const servers = {
        own: { ...trusted(testServer()), mode: 'per_session' },
        shared: { ...trusted(testServer()), mode: 'shared' },
        web: trusted({ transport: 'http', url: await firstLine(remote) }),
      };
      const toggle = toggles(servers)[how] as Toggle;
      await using hub = await startHub(home, { version: 1, servers });
      await settled(hub, AGENT);
      const old = await clientsOf(hub, 'old');
      await echoes(old, 'old');
      for (const round of ['first', 'second']) {
        for (const server of SERVERS) expect(await toggle.off(hub, server)).toBe(200);
        expect(await (old[0] as Client).echo('shared')).not.toBe('old');
        for (const server of SERVERS) expect(await toggle.on(hub, server)).toBe(200);
        await settled(hub, AGENT);
        await echoes(old, 'old');
        await echoes(await clientsOf(hub, round), round);
      }
    } finally {
      remote.kill('SIGTERM');
      await once(remote, 'exit');
    }
  });
}
