/** Document C, §11: the profiles `production-http` and `local-stdio`, as the library meets them on the wire. */
import { createHost } from '@junctor/core';
import { makeHome, promise, testServer } from '@junctor/testkit';
import { serveHttp } from '@junctor/testkit/test-server';
import { expect } from 'vitest';
import { smallHttp, smallStdio } from './small-server.ts';
import { type Said, watchedHttp, watchedStdio } from './watched.ts';

const methods = (said: readonly Said[]): (string | undefined)[] => said.map(({ method }) => method);

promise(
  'C11.4e',
  'capabilities are negotiated: ours are told, and tools are asked for only where the server has them',
  async () => {
    await using home = await makeHome();
    const server = await serveHttp(0, { era: 'legacy' });
    await using http = await watchedHttp(server.url);
    await using bareHttp = await smallHttp({ resources: {} });
    const stdio = watchedStdio(home, testServer('--era', 'legacy'));
    const bareStdio = await smallStdio(home, { resources: {} });
    try {
      await using host = await createHost({
        config: {
          version: 1,
          servers: {
            remote: { transport: 'http', url: http.url, protocol: 'legacy' },
            local: { ...stdio.definition, protocol: 'legacy' },
            bare_remote: { transport: 'http', url: bareHttp.url, protocol: 'legacy' },
            bare_local: { ...bareStdio.definition, protocol: 'legacy' },
          },
        },
      });
      const offered = await host.tools();
      expect(new Set(offered.map(tool => tool.server))).toEqual(new Set(['remote', 'local']));
      expect([host.links.state('bare_remote').kind, host.links.state('bare_local').kind]).toEqual(['ready', 'ready']);
      for (const said of [http.said(), await stdio.said()]) {
        expect(said[0]).toMatchObject({
          method: 'initialize',
          params: { protocolVersion: '2025-11-25', capabilities: expect.any(Object) },
        });
        expect(methods(said)).toContain('tools/list');
      }
      for (const bare of [bareHttp, bareStdio]) {
        // Nobody answers it: it may still be on its way.
        await expect.poll(async () => methods(await bare.said())).toContain('notifications/initialized');
        expect(methods(await bare.said())).not.toContain('tools/list');
      }
    } finally {
      await server.close();
    }
  },
);

promise('C11.4j', 'remote HTTP works with POST, GET and SSE', async () => {
  const server = await serveHttp(0, { era: 'legacy' });
  await using http = await watchedHttp(server.url);
  try {
    await using host = await createHost({
      config: { servers: { remote: { transport: 'http', url: http.url, protocol: 'legacy', trust: 'trusted' } } },
    });
    const changed = new Promise(resolve => host.events.on('list-changed', resolve));
    const seen: number[] = [];
    await host.call('mcp__remote__slow', { ms: 20 }, { onProgress: ({ progress }) => seen.push(progress) });
    expect(seen).toHaveLength(10);
    // Each request is a POST; an answer with progress comes as a stream.
    const call = http.passed.find(({ said }) => said?.method === 'tools/call');
    expect([call?.method, call?.headers.accept, call?.answerType]).toEqual([
      'POST',
      expect.stringMatching(/application\/json.*text\/event-stream/),
      'text/event-stream',
    ]);
    // What the server says by itself comes over a GET that stays open.
    await expect.poll(() => http.passed.find(({ method }) => method === 'GET')?.answerType).toBe('text/event-stream');
    await host.call('mcp__remote__add_tool', { name: 'brought_by_get' });
    await changed;
    await expect.poll(async () => (await host.tools()).map(({ tool }) => tool)).toContain('brought_by_get');
  } finally {
    await server.close();
  }
});
