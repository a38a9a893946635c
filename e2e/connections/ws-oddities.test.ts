/** What servers behind a WebSocket do that no protocol foresees. */
import type { AddressInfo } from 'node:net';
import { createHost } from '@junctor/core';
import { expect, test } from 'vitest';
import { WebSocketServer } from 'ws';

const RESULTS: Readonly<Record<string, object>> = {
  'tools/list': { tools: [{ name: 'work', inputSchema: { type: 'object' } }] },
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
  'tools/call': { content: [{ type: 'text', text: 'done' }] },
};

async function socketServer(handleProtocols: () => string | false) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols });
  await new Promise(resolve => server.once('listening', resolve));
  server.on('connection', socket =>
    socket.on('message', data => {
      const { id, method } = JSON.parse(String(data)) as { id?: number; method: string };
      if (id !== undefined) socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: RESULTS[method] ?? {} }));
    }),
  );
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of server.clients) socket.terminate();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

test('a server that does not say what is spoken is spoken to all the same; one that says something else is not', async () => {
  await using says = await socketServer(() => false);
  await using other = await socketServer(() => 'chess');
  const at = ({ url }: { url: string }) => ({ transport: 'ws', url, trust: 'trusted', protocol: 'legacy' });
  await using host = await createHost({ config: { servers: { x: at(says), y: at(other) } }, attempts: 1 });
  expect((await host.call({ server: 'x', tool: 'work' })).output).toBe('done');
  await expect(host.call({ server: 'y', tool: 'work' })).rejects.toMatchObject({ code: 'connection_failed' });
});
