import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHost } from '@junctor/core';
import { promise } from '@junctor/testkit';
import { describe, expect } from 'vitest';

const RESULTS: Record<string, object> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'breaking', version: '1' },
  },
  'tools/list': { tools: [{ name: 'work', inputSchema: { type: 'object' } }] },
};

interface Asked {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly _meta?: { readonly progressToken?: number } };
}

/** Keeps the events of each stream, numbered, and breaks every connection after `perConnection` of them. */
async function breakingServer(
  perConnection: number,
  hangUp: (response: ServerResponse) => unknown = response => response.destroy(),
) {
  const streams = new Map<string, object[]>();
  const resumed: string[] = [];

  /** Sends what the client has not seen yet, then hangs up, or ends where all is said. */
  const send = (response: ServerResponse, stream: string, from: number): void => {
    const events = streams.get(stream) ?? [];
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const now = events.slice(from, from + perConnection);
    for (const [at, event] of now.entries()) {
      response.write(`id: ${stream}:${from + at + 1}\nretry: 10\ndata: ${JSON.stringify(event)}\n\n`);
    }
    if (from + now.length < events.length) setTimeout(() => hangUp(response), 20);
    else if (stream !== 'news') response.end();
  };

  const http = createServer(async (request, response) => {
    if (request.method === 'GET') return resume(request, response);
    let body = '';
    for await (const piece of request) body += piece;
    if (!body) return response.writeHead(204).end();
    const { id, method, params } = JSON.parse(body) as Asked;
    if (id === undefined) return response.writeHead(202).end();
    if (method !== 'tools/call') {
      const answer = RESULTS[method] ? { result: RESULTS[method] } : { error: { code: -32601, message: 'unknown' } };
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 's1' });
      return response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    }
    const steps = [1, 2, 3, 4, 5].map(progress => ({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: params?._meta?.progressToken, progress },
    }));
    const answer = { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'done' }] } };
    streams.set(`call${id}`, [...steps, answer]);
    send(response, `call${id}`, 0);
  });

  const resume = (request: IncomingMessage, response: ServerResponse): void => {
    const last = request.headers['last-event-id'] as string | undefined;
    if (last === undefined) return send(response, 'news', 0);
    resumed.push(last);
    const [stream, seen] = last.split(':') as [string, string];
    send(response, stream, Number(seen));
  };

  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    streams,
    resumed,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise(resolve => http.close(resolve));
    },
  };
}

describe('a broken HTTP stream', () => {
  promise('2.2f', 'is resumed where it broke: every message comes once, of a call and of the news', async () => {
    await using server = await breakingServer(2);
    const line = (data: number) => ({
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'info', data },
    });
    server.streams.set('news', [1, 2, 3, 4, 5].map(line));
    await using host = await createHost({
      config: { servers: { s: { transport: 'http', url: server.url, trust: 'trusted', protocol: 'legacy' } } },
    });
    const news: unknown[] = [];
    host.events.on('log-message', ({ data }) => news.push(data));
    await host.links.ready('s');
    const steps: number[] = [];
    const done = await host.call(
      { server: 's', tool: 'work' },
      {},
      { onProgress: ({ progress }) => steps.push(progress) },
    );
    expect([done.output, steps]).toEqual(['done', [1, 2, 3, 4, 5]]);
    expect(server.resumed.filter(id => id.startsWith('call'))).toEqual([
      expect.stringMatching(/^call\d+:2$/),
      expect.stringMatching(/^call\d+:4$/),
    ]);
    await expect.poll(() => server.resumed.filter(id => id.startsWith('news'))).toEqual(['news:2', 'news:4']);
    await expect.poll(() => news).toEqual([1, 2, 3, 4, 5]);
  });

  promise('2.2f', 'is resumed as well where the connection was reset', async () => {
    await using server = await breakingServer(2, response => response.socket?.resetAndDestroy());
    await using host = await createHost({
      config: { servers: { s: { transport: 'http', url: server.url, trust: 'trusted', protocol: 'legacy' } } },
    });
    const steps: number[] = [];
    const onProgress = ({ progress }: { progress: number }): void => void steps.push(progress);
    expect((await host.call({ server: 's', tool: 'work' }, {}, { onProgress })).output).toBe('done');
    expect(steps).toEqual([1, 2, 3, 4, 5]);
    expect(server.resumed).toEqual([expect.stringMatching(/^call\d+:2$/), expect.stringMatching(/^call\d+:4$/)]);
  });

  promise('2.2f', 'whose rest is not to be had fails its call, and says so', async () => {
    await using server = await breakingServer(2);
    await using host = await createHost({
      config: { servers: { s: { transport: 'http', url: server.url, trust: 'trusted', protocol: 'legacy' } } },
    });
    await host.links.ready('s');
    server.streams.set = function (this: Map<string, object[]>, key: string, events: object[]) {
      // The server has forgotten what it had still to say.
      return Map.prototype.set.call(this, key, events.slice(0, 3));
    } as never;
    await expect(host.call({ server: 's', tool: 'work' })).rejects.toMatchObject({
      code: 'connection_lost',
      outcome: 'unknown',
    });
  });
});
