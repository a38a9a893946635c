/** A call is sent once, and at most once more: how often it ran, and what is known of it, is the same on every surface. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHost, isJunctorError } from '@junctor/core';
import { makeHome, promise, type RunningHub, startHub, trusted } from '@junctor/testkit';
import { fragileServer } from '@junctor/testkit/peers';
import { describe, expect } from 'vitest';
import { type Exchange, smallHttp } from '../connections/small-http.ts';
import { rest } from './rest-client.ts';
import { RawClient } from './rpc.ts';

interface Ended {
  readonly code: string | null;
  readonly outcome: string | undefined;
  readonly said: string;
}

type Surface = (server: object, tool: string, use: (call: () => Promise<Ended>) => Promise<void>) => Promise<void>;

async function library(server: object, tool: string, use: (call: () => Promise<Ended>) => Promise<void>) {
  await using host = await createHost({ config: { servers: { x: server }, health: { reconnect_attempts: 1 } } });
  await host.tools();
  await use(() =>
    host.call({ server: 'x', tool }).then(
      ({ output }) => ({ code: null, outcome: 'done', said: output }),
      error => {
        if (!isJunctorError(error)) throw error;
        const { code, outcome, message } = error;
        return { code, outcome, said: message };
      },
    ),
  );
}

function endpoint(path: string): Surface {
  return async (server, tool, use) => {
    await using home = await makeHome();
    await using hub = await startHub(home, { servers: { x: server }, health: { reconnect_attempts: 1 } });
    // What a server says of its tools is known once they were listed.
    await expect.poll(async () => (await hub.fetch('/api/tools')).text()).toContain(`"${tool}"`);
    const client = await RawClient.open(hub, path);
    const name = path.startsWith('/mcp') ? `x_${tool}` : tool;
    await use(async () => {
      const said = JSON.stringify((await client.call(1, name, {})).at(-1));
      const { code, outcome } = await lastCall(hub);
      return { code, outcome, said };
    });
  };
}

async function lastCall(hub: RunningHub): Promise<Ended> {
  return (await rest(hub, '/api/calls')).body.calls[0];
}

const SURFACES: readonly (readonly [string, Surface])[] = [
  ['the library', library],
  ['the agent endpoint', endpoint('/mcp/codex')],
  ['the server endpoint', endpoint('/servers/x/mcp')],
];

/** A legacy server with sessions, which acts on each call and then answers it with HTTP 404. */
function answers404(body: (id: number | undefined) => object) {
  const seen = { runs: 0, sessions: 0 };
  const answer = ({ asked, response }: Exchange): true | undefined => {
    if (asked.method === 'initialize') response.setHeader('mcp-session-id', `s${++seen.sessions}`);
    if (asked.method !== 'tools/call') return;
    seen.runs++;
    response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify(body(asked.id)));
    return true;
  };
  return { seen, answer };
}

describe.each(SURFACES)('through %s a call', (_name, surface) => {
  promise('7.11h', 'that its server answers with HTTP 404 runs once, and the answer is the answer', async () => {
    const { seen, answer } = answers404(id => ({ jsonrpc: '2.0', id, error: { code: -32050, message: 'no order 7' } }));
    await using server = await smallHttp(answer);
    await surface(trusted({ transport: 'http', url: server.url, protocol: 'legacy' }), 'work', async call => {
      const before = seen.sessions;
      expect(await call()).toMatchObject({ outcome: 'done', said: expect.stringContaining('no order 7') });
      expect(seen).toEqual({ runs: 1, sessions: before });
    });
  });

  promise('7.11g', 'that gets HTTP 404 without an answer is repeated once, on a new session', async () => {
    const { seen, answer } = answers404(() => ({ detail: 'Not Found' }));
    await using server = await smallHttp(answer);
    await surface(trusted({ transport: 'http', url: server.url, protocol: 'legacy' }), 'work', async call => {
      const before = seen.sessions;
      expect(await call()).toMatchObject({ code: 'connection_failed', outcome: 'done' });
      expect(seen).toEqual({ runs: 2, sessions: before + 1 });
    });
  });

  promise('2.2g', 'that gets HTTP 404 with an answer about its session goes through on a new one', async () => {
    let session = 0;
    let breaks = false;
    await using server = await smallHttp(({ asked, request, response, answer }) => {
      const tool = { name: 'work', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } };
      if (asked.method === 'tools/list') return answer({ result: { tools: [tool] } });
      if (asked.method === 'tools/call' && breaks) {
        breaks = false;
        request.socket.destroy();
        return true;
      }
      if (asked.method === 'initialize') response.setHeader('mcp-session-id', String(++session));
      else if (request.method === 'POST' && request.headers['mcp-session-id'] !== String(session)) {
        const error = { code: -32001, message: 'Session not found' };
        response.writeHead(404).end(JSON.stringify({ jsonrpc: '2.0', id: asked.id, error }));
        return true;
      }
      return undefined;
    });
    await surface(trusted({ transport: 'http', url: server.url, protocol: 'legacy' }), 'work', async call => {
      session = 70; // started again meanwhile
      expect(await call()).toMatchObject({ code: null, outcome: 'done', said: expect.stringContaining('done') });
      expect(session).toBe(71);
      // A kept connection breaks with the restart, and only the repeat learns that the session is gone.
      [session, breaks] = [170, true];
      expect(await call()).toMatchObject({ code: null, outcome: 'done', said: expect.stringContaining('done') });
      expect([session, breaks]).toEqual([171, false]);
    });
  });

  promise('7.11i', 'that may have run ends as unknown where the server does not come back for its repeat', async () => {
    await using home = await makeHome();
    const diary = join(home.path, 'diary');
    const { command, args } = fragileServer(diary);
    const script = 'if [ -e "$0" ]; then exit 1; fi; exec "$@"';
    const server = trusted({ transport: 'stdio', command: '/bin/sh', args: ['-c', script, diary, command, ...args] });
    await surface(server, 'look', async call => {
      expect(await call()).toMatchObject({ code: 'connection_failed', outcome: 'unknown' });
      expect(await readFile(diary, 'utf8')).toBe('look\n');
    });
  });
});
