/** Servers that take nothing before they were greeted, and that forget whom they greeted. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createHost } from '@junctor/core';
import { promise } from '@junctor/testkit';
import { describe, expect } from 'vitest';
import { type Exchange, smallHttp } from './small-http.ts';
import { smallSse } from './small-sse.ts';

const hostAt = (url: string, transport: 'http' | 'sse' = 'http') => {
  const x = { transport, url, trust: 'trusted', oauth: false, protocol: 'legacy' };
  return createHost({ config: { servers: { x } }, attempts: 1 });
};

/** How long such a server thinks about a hello: far longer than another connection needs. */
const THINKS_MS = 150;

/** Refuses what comes before it has taken the hello, which takes it a while. */
function strict(): (exchange: Exchange) => true | undefined {
  let greeted = false;
  return ({ asked, request, response, answer }) => {
    if (asked.method === 'notifications/initialized') {
      void sleep(THINKS_MS).then(() => {
        greeted = true;
        response.writeHead(202).end();
      });
      return true;
    }
    if (request.method !== 'POST' || asked.method === 'initialize' || greeted) return;
    return answer({ error: { code: -32600, message: 'Received a request before initialization was complete' } });
  };
}

describe('a server that takes no request before it was greeted', () => {
  promise('2.1b', 'over HTTP gets none', async () => {
    await using server = await smallHttp(strict());
    await using host = await hostAt(server.url);
    expect((await host.call({ server: 'x', tool: 'work' })).output).toBe('done');
  });

  promise('2.1b', 'over the older transport gets none', async () => {
    await using server = await smallSse(strict());
    await using host = await hostAt(`${server.origin}/sse`, 'sse');
    expect((await host.call({ server: 'x', tool: 'work' })).output).toBe('done');
  });
});

/** As server-everything says it, and others that were written after the same example; and one that means no sign-in by it. */
const NOT_AS_404 = [
  [400, { jsonrpc: '2.0', error: { code: -32000, message: 'Bad Request: No valid session ID provided' } }],
  [401, 'Unauthorized: Session not found'],
] as const;

describe.each(NOT_AS_404)('a server that says with %d that it has forgotten a session', (status, body) => {
  promise('2.2g', 'is greeted anew, and the call goes through', async () => {
    let session = 0;
    await using server = await smallHttp(({ asked, request, response }) => {
      if (asked.method === 'initialize') response.setHeader('mcp-session-id', String(++session));
      else if (request.method === 'POST' && request.headers['mcp-session-id'] !== String(session)) {
        const says = typeof body === 'string' ? body : JSON.stringify({ ...body, id: asked.id });
        response.writeHead(status).end(says);
        return true;
      }
      return undefined;
    });
    await using host = await hostAt(server.url);
    const work = async () => (await host.call({ server: 'x', tool: 'work' })).output;
    expect(await work()).toBe('done');
    session = 7; // started again meanwhile
    expect([await work(), await work(), session]).toEqual(['done', 'done', 8]);
  });
});
