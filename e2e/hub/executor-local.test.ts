/** The row of this machine in the table of executors: what sessions share, and what each has for itself. */
import { isRunning, makeHome, promise, startedServer, startHub, testServer, trusted } from '@junctor/testkit';
import { expect } from 'vitest';
import { RawClient } from './rpc.ts';
import { settled } from './settled.ts';

const shared = (definition: object) => ({ ...trusted(definition), mode: 'shared' });
const perSession = (definition: object) => ({ ...trusted(definition), mode: 'per_session' });

async function pidOf(client: RawClient, server: string): Promise<number> {
  const [answer] = (await client.call(server, `${server}_pid`, {})) as { result: { content: { text: string }[] } }[];
  return Number(answer?.result.content[0]?.text);
}

promise(
  ['5.5a', '5.5b', '5.5c', '5.5n'],
  'sessions share a local HTTP or SSE server, and have stdio and HTTP servers of their own, which end with them',
  async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, {
      version: 1,
      startup: { connect: 'lazy' },
      servers: {
        web: shared(startedServer('http')),
        old: shared(startedServer('sse')),
        pipe: perSession(testServer()),
        own: perSession(startedServer('http')),
      },
    });
    const paths = ['/mcp/codex', '/mcp/cursor'];
    const clients = await Promise.all(paths.map(path => RawClient.open(hub, path)));
    // The list begins them all; on a busy machine that takes longer than a call waits for a name to be known.
    await clients[0]?.messages({ id: 'list', method: 'tools/list' });
    await settled(hub);
    const [web, old, pipe, own] = await Promise.all(
      ['web', 'old', 'pipe', 'own'].map(server => Promise.all(clients.map(client => pidOf(client, server)))),
    );
    for (const [first, second] of [web, old] as number[][]) expect(first).toBe(second);
    for (const [first, second] of [pipe, own] as number[][]) expect(first).not.toBe(second);
    const all = [web, old, pipe, own].flat() as number[];
    expect(all.filter(pid => !isRunning(pid))).toEqual([]);
    // What a session had for itself ends with it; what is shared, and what others have, lives on.
    await hub.fetch(paths[1] as string, {
      method: 'DELETE',
      headers: { 'mcp-session-id': (clients[1] as RawClient).session },
    });
    const ended = [pipe?.[1], own?.[1]] as number[];
    await expect.poll(() => ended.filter(isRunning)).toEqual([]);
    expect(all.filter(pid => !isRunning(pid) && !ended.includes(pid))).toEqual([]);
    await hub[Symbol.asyncDispose]();
    expect(all.filter(isRunning)).toEqual([]);
  },
);
