/** A modern server asks by answering with questions: how often, how long and for whom is the same on every surface. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createHost, isJunctorError } from '@junctor/core';
import { makeHome, promise, type RunningHub, startHub, trusted } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { smallHttp } from '../connections/small-http.ts';
import { rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';
import { sdkPeer } from './sdk-peer.ts';

interface Params {
  readonly requestState?: string;
  readonly inputResponses?: object;
}

const ROOTS = { folders: { method: 'roots/list' } };
const DONE = { resultType: 'complete', content: [{ type: 'text', text: 'done' }] };

/** A server of 2026-07-28 whose only tool answers each call with what `answer` says, given how often it was called. */
async function asking(answer: (times: number) => object) {
  const calls: Params[] = [];
  const server = await smallHttp(exchange => {
    const { method, params } = exchange.asked;
    if (method === 'server/discover')
      return exchange.answer({ result: { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } } });
    if (method === 'initialize') return exchange.answer({ error: { code: -32601, message: 'Method not found' } });
    if (method !== 'tools/call') return undefined;
    calls.push(params as Params);
    return exchange.answer({ result: answer(calls.length) });
  });
  return Object.assign(server, { calls });
}

type Call = () => Promise<string>;
type Surface = (server: object, use: (call: Call) => Promise<void>) => Promise<void>;

const SURFACES: readonly (readonly [string, Surface])[] = [
  [
    'the library',
    async (server, use) => {
      await using host = await createHost({ config: { servers: { x: server } }, roots: [{ uri: 'file:///home/ada' }] });
      await use(() =>
        host.call({ server: 'x', tool: 'work' }).then(
          ({ output }) => output,
          error => {
            if (!isJunctorError(error)) throw error;
            return `${error.message} (${error.code})`;
          },
        ),
      );
    },
  ],
  ['the agent endpoint', endpoint('/mcp/codex', 'x_work')],
  ['the server endpoint', endpoint('/servers/x/mcp', 'work')],
];

function endpoint(path: string, name: string): Surface {
  return async (server, use) => {
    await using home = await makeHome();
    await using hub = await startHub(home, { servers: { x: server } });
    await using peer = await sdkPeer(hub, path, { era: 'legacy' });
    await use(() => peer.client.callTool({ name }).then(answer => JSON.stringify(answer), String));
  };
}

const at = (url: string, more: object = {}) => trusted({ transport: 'http', url, ...more });

describe.each(SURFACES)('through %s a call', (_name, surface) => {
  promise('7.1j', 'whose server always asks again ends after 20 rounds', async () => {
    await using server = await asking(() => ({ resultType: 'input_required', inputRequests: ROOTS }));
    await surface(at(server.url), async call => {
      expect(await call()).toContain('asked for inputs 20 times in one call');
      expect(server.calls).toHaveLength(21);
    });
  });

  promise('7.1j', 'whose server asks for nothing, only to come again, ends after 20 rounds', async () => {
    await using server = await asking(() => ({ resultType: 'input_required', requestState: 's' }));
    await surface(at(server.url), async call => {
      expect(await call()).toContain('asked for inputs 20 times in one call');
      expect(server.calls).toHaveLength(21);
    });
  });

  promise('7.1k', 'has one time limit over all its rounds', async () => {
    await using server = await asking(() => ({ resultType: 'input_required' }));
    await surface(at(server.url, { tool_timeouts_ms: { work: 600 } }), async call => {
      expect(await call()).toContain('took longer than 600 ms');
      expect(server.calls.length).toBeLessThan(10);
    });
  });

  promise('7.1l', 'is sent with the state of the last round, and of no earlier one', async () => {
    const answers = [
      { resultType: 'input_required', inputRequests: ROOTS, requestState: 'first' },
      { resultType: 'input_required', inputRequests: { more: { method: 'roots/list' } } },
      DONE,
    ];
    await using server = await asking(times => answers[times - 1] ?? DONE);
    await surface(at(server.url), async call => {
      expect(await call()).toContain('done');
      expect(server.calls.map(({ requestState }) => requestState)).toEqual([undefined, 'first', undefined]);
      expect(server.calls.map(({ inputResponses }) => Object.keys(inputResponses ?? {}))).toEqual([
        [],
        ['folders'],
        ['more'],
      ]);
    });
  });

  test('whose server asks with questions that are none fails as such', async () => {
    const malformed = ['folders', [{ method: 'roots/list' }], { folders: null }, { folders: {} }];
    await using server = await asking(times => ({
      resultType: 'input_required',
      inputRequests: malformed[times - 1],
    }));
    await surface(at(server.url), async call => {
      for (const _ of malformed) expect(await call()).toContain('asked for inputs without saying which');
      expect(server.calls).toHaveLength(malformed.length);
    });
  });
});

async function running(hub: RunningHub): Promise<unknown[]> {
  return (await rest(hub, '/api/calls')).body.running;
}

describe('a call whose server only wants it to come again', () => {
  test('ends when its client cancels it', async () => {
    await using server = await asking(() => ({ resultType: 'input_required' }));
    await using home = await makeHome();
    await using hub = await startHub(home, { servers: { x: at(server.url) } });
    const client = await RawClient.open(hub, '/mcp/codex');
    const call = client.call('mine', 'x_work', {}).catch(() => {});
    await expect.poll(() => server.calls.length).toBeGreaterThan(1);
    await client.post({ method: 'notifications/cancelled', params: { requestId: 'mine' } });
    await call;
    expect(await running(hub)).toEqual([]);
    expect((await rest(hub, '/api/calls')).body.calls).toMatchObject([{ outcome: 'unknown', code: 'cancelled' }]);
  });

  promise('7.1m', 'is not sent again once its client has left', async () => {
    await using server = await asking(() => ({ resultType: 'input_required' }));
    await using home = await makeHome();
    await using hub = await startHub(home, { servers: { x: at(server.url) } });
    const client = await RawClient.open(hub, '/mcp/codex');
    const leaving = new AbortController();
    const call = client.post({ id: 1, method: 'tools/call', params: { name: 'x_work' } }, leaving.signal);
    await expect.poll(() => server.calls.length).toBeGreaterThan(1);
    leaving.abort();
    await expect(call).rejects.toThrow();
    const before = server.calls.length;
    // Four rounds would fit in here.
    await sleep(1000);
    expect(server.calls.length - before).toBeLessThan(2);
  });
});
