/** Servers that take nothing before they were greeted, and that forget whom they greeted. */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHost } from '@junctor/core';
import { promise } from '@junctor/testkit';
import { describe, expect } from 'vitest';
import { type Exchange, openStream, smallHttp } from './small-http.ts';

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
    const refuse = strict();
    let stream: ServerResponse | undefined;
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: '2024-11-05',
        capabilities: { tools: {} },
        serverInfo: { name: 'x', version: '1' },
      },
      'tools/call': { content: [{ type: 'text', text: 'done' }] },
    };
    await using server = await smallHttp(exchange => {
      const { asked, request, response } = exchange;
      if (request.method === 'GET') {
        stream = response;
        return openStream(response, 'event: endpoint\ndata: /post\n\n');
      }
      const answer = (message: object): true => {
        // The stream is quicker: its messages may come before the post is over.
        stream?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id: asked.id, ...message })}\n\n`);
        setImmediate(() => response.writeHead(202).end());
        return true;
      };
      return refuse({ ...exchange, answer }) ?? answer({ result: results[asked.method ?? ''] ?? {} });
    });
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
