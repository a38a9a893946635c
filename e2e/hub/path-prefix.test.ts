/** A hub below a path of a name that others share. */
import { makeHome, startHub, testServer, trusted } from '@junctor/testkit';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, test } from 'vitest';
import { startPathProxy } from './path-proxy.ts';

describe.each([{ strips: true }, { strips: false }])('behind a proxy with a path (strips it: $strips)', proxied => {
  test('clients of both transports, probes and REST find their way', async () => {
    await using home = await makeHome();
    await using proxy = await startPathProxy('/tools/junctor', proxied);
    const config = { servers: { demo: { ...trusted(testServer()), mode: 'shared' } } };
    await using hub = await startHub(home, config, ['--public-url', `${proxy.url}/`]);
    proxy.target = hub.url;
    const requestInit = { headers: { authorization: `Bearer ${hub.token}` } };
    const fetching: typeof fetch = (url, init) =>
      fetch(url, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), ...requestInit.headers } });
    for (const transport of [
      new SSEClientTransport(new URL(`${proxy.url}/sse/codex`), { requestInit, eventSourceInit: { fetch: fetching } }),
      new StreamableHTTPClientTransport(new URL(`${proxy.url}/mcp/codex`), { requestInit }),
    ]) {
      const client = new Client({ name: 'far', version: '1' });
      await client.connect(transport as never);
      expect(await client.callTool({ name: 'demo_echo', arguments: { text: 'hello' } })).toMatchObject({
        content: [{ type: 'text', text: 'hello' }],
      });
      await client.close();
    }
    expect((await fetch(`${proxy.url}/healthz`)).status).toBe(200);
    expect((await fetching(`${proxy.url}/api/status`)).status).toBe(200);
    const leaving = new AbortController();
    const events = await fetching(`${proxy.url}/api/events`, { signal: leaving.signal });
    leaving.abort();
    expect(events.headers.get('x-accel-buffering')).toBe('no');
    // Without the prefix it is reached as well, where nothing stands before it.
    expect((await hub.fetch('/api/status')).status).toBe(200);
    const bare = await fetch(`${hub.url}/tools/junctor`, { redirect: 'manual' });
    expect([bare.status, bare.headers.get('location')]).toEqual([308, '/tools/junctor/']);
    const withCode = await fetch(`${hub.url}/tools/junctor?code=a%2Fb&x=1`, { redirect: 'manual' });
    expect(withCode.headers.get('location')).toBe('/tools/junctor/?code=a%2Fb&x=1');
  });
});
