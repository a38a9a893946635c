/** `/ws/<agent>`: one message of JSON-RPC per message, both eras, on the same rooms. */
import { once } from 'node:events';
import {
  isRunning,
  junctor,
  makeHome,
  promise,
  type RunningHub,
  startHub,
  testServer,
  trusted,
} from '@junctor/testkit';
import { describe, expect } from 'vitest';
import { WebSocket } from 'ws';
import { settled } from './settled.ts';

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number };
}

class Socket {
  readonly heard: Message[] = [];
  readonly #socket: WebSocket;
  readonly #waiting = new Map<unknown, (message: Message) => void>();

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', data => {
      const message = JSON.parse(String(data)) as Message;
      if (message.method === undefined) this.#waiting.get(message.id)?.(message);
      else {
        this.heard.push(message);
        if (message.method === 'elicitation/create')
          this.say({ id: message.id, result: { action: 'accept', content: { name: 'Wes' } } });
      }
    });
  }

  static async open(hub: RunningHub, path: string, token = hub.token): Promise<Socket> {
    const socket = new WebSocket(`${hub.url.replace('http', 'ws')}${path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const opened = new Socket(socket);
    await once(socket, 'open');
    return opened;
  }

  say(message: object): void {
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  ask(id: unknown, method: string, params: object = {}): Promise<Message> {
    return new Promise(resolve => {
      this.#waiting.set(id, resolve);
      this.say({ id, method, params });
    });
  }

  async close(): Promise<void> {
    this.#socket.close();
    await once(this.#socket, 'close');
  }
}

const initialize = {
  protocolVersion: '2025-11-25',
  capabilities: { elicitation: {} },
  clientInfo: { name: 'ws', version: '1' },
};
const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
};
const textOf = ({ result }: Message): string => (result?.content as { text: string }[] | undefined)?.[0]?.text ?? '';

describe('over a WebSocket', () => {
  promise('8.23c', 'both eras list and call, are told of progress, are asked, and cancel', async () => {
    await using home = await makeHome();
    await using hub = await startHub(home, { version: 1, servers: { demo: trusted(testServer()) } });
    await settled(hub);
    const old = await Socket.open(hub, '/ws/codex');
    expect((await old.ask(0, 'tools/list')).error).toMatchObject({ code: -32000 });
    expect((await old.ask(1, 'initialize', initialize)).result).toMatchObject({ serverInfo: { name: 'junctor' } });
    old.say({ method: 'notifications/initialized' });
    const { result } = await old.ask(2, 'tools/list');
    expect(JSON.stringify(result)).toContain('demo_echo');
    const progressed = await old.ask(3, 'tools/call', {
      name: 'demo_slow',
      arguments: { ms: 30 },
      _meta: { progressToken: 'mine' },
    });
    expect(textOf(progressed)).toBe('waited 30 ms');
    expect(old.heard.filter(({ params }) => params?.progressToken === 'mine')).toHaveLength(10);
    const asked = await old.ask(4, 'tools/call', { name: 'demo_ask_person', arguments: {} });
    expect(asked.result?.structuredContent).toEqual({ action: 'accept', content: { name: 'Wes' } });
    const slow = old.ask(5, 'tools/call', { name: 'demo_slow', arguments: { ms: 20_000 } });
    let asks = 10;
    const state = async () =>
      (await old.ask(asks++, 'tools/call', { name: 'demo_state', arguments: {} })).result?.structuredContent;
    await expect.poll(state).toMatchObject({ running: 1 });
    old.say({ method: 'notifications/cancelled', params: { requestId: 5 } });
    await expect.poll(state).toMatchObject({ running: 0, cancelled: 1 });
    expect(await Promise.race([slow, Promise.resolve('no answer')])).toBe('no answer');
    await old.close();

    const modern = await Socket.open(hub, '/ws/codex');
    expect((await modern.ask(1, 'server/discover', { _meta })).result).toMatchObject({
      supportedVersions: ['2026-07-28'],
    });
    const first = await modern.ask(2, 'tools/call', { name: 'demo_ask_person', arguments: {}, _meta });
    const [key = ''] = Object.keys((first.result?.inputRequests ?? {}) as object);
    const inputResponses = { [key]: { action: 'accept', content: { name: 'Wes' } } };
    const { requestState } = first.result as { requestState: string };
    const done = await modern.ask(3, 'tools/call', {
      name: 'demo_ask_person',
      arguments: {},
      inputResponses,
      requestState,
      _meta,
    });
    expect(done.result).toMatchObject({ resultType: 'complete', structuredContent: { content: { name: 'Wes' } } });
    expect((await modern.ask(4, 'ping', { _meta })).error).toMatchObject({ code: -32601 });
    await modern.close();
  });

  promise('5.4h', 'the connection is the session: what it held ends with it', async () => {
    await using home = await makeHome();
    const servers = { demo: { ...trusted(testServer()), mode: 'per_session' } };
    await using hub = await startHub(home, { version: 1, servers });
    await settled(hub);
    const sockets = [await Socket.open(hub, '/ws/codex'), await Socket.open(hub, '/ws/codex')];
    const pids: number[] = [];
    for (const socket of sockets) {
      await socket.ask(1, 'initialize', initialize);
      pids.push(Number(textOf(await socket.ask(2, 'tools/call', { name: 'demo_pid', arguments: {} }))));
    }
    expect(pids[0]).not.toBe(pids[1]);
    for (const socket of sockets) await socket.close();
    await expect.poll(() => pids.map(isRunning)).toEqual([false, false]);
  });

  promise(
    '9.5e',
    'and over the other ways, an agent’s token opens the doors of that agent and of no other',
    async () => {
      await using home = await makeHome();
      await using hub = await startHub(home, { version: 1, servers: {} });
      const token = (await junctor(home, ['hub', 'token', '--agent', 'codex', '--data', home.data])).stdout.trim();
      const refused = async (path: string, given: string): Promise<number> => {
        const socket = new WebSocket(`${hub.url.replace('http', 'ws')}${path}`, {
          headers: { authorization: `Bearer ${given}` },
        });
        const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
        socket.on('error', () => {});
        socket.terminate();
        return response.statusCode;
      };
      // The hub looks for new tokens now and then: until then it knows none of that name.
      await expect.poll(async () => (await hub.fetch('/mcp/codex', { token })).status).toBe(400);
      expect(await refused('/ws/cursor', token)).toBe(403);
      expect(await refused('/ws/codex', 'jct_wrong')).toBe(401);
      expect(await refused('/ws/emacs', hub.token)).toBe(404);
      await (await Socket.open(hub, '/ws/codex', token)).close();
      const sse = async (agent: string): Promise<number> => {
        const stop = new AbortController();
        const { status } = await hub.fetch(`/sse/${agent}`, { token, signal: stop.signal });
        stop.abort();
        return status;
      };
      expect([await sse('codex'), await sse('cursor')]).toEqual([200, 403]);
      const mcp = async (agent: string) =>
        (await hub.fetch(`/mcp/${agent}`, { method: 'POST', body: '{}', token })).status;
      expect([await mcp('codex'), await mcp('cursor')]).toEqual([400, 403]);
    },
  );
});
