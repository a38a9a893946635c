/** A server behind a WebSocket whose answer to a call is one message that never ends. */
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

const PIECE = Buffer.alloc(1024 * 1024, 'x');

const RESULTS: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'flood', version: '1' },
  },
  'tools/list': { tools: [{ name: 'flood', inputSchema: { type: 'object' } }] },
};

export async function floodingSocket(): Promise<{ readonly url: string } & AsyncDisposable> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => 'mcp' });
  await new Promise(resolve => server.once('listening', resolve));
  server.on('connection', socket => {
    const pour = (): void => {
      if (socket.readyState === socket.OPEN) socket.send(PIECE, { fin: false }, pour);
    };
    socket.on('message', data => {
      const { id, method } = JSON.parse(String(data)) as { id?: number; method: string };
      if (method === 'tools/call') return pour();
      const answer = RESULTS[method] ? { result: RESULTS[method] } : { error: { code: -32601, message: 'unknown' } };
      if (id !== undefined) socket.send(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    });
  });
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      for (const socket of server.clients) socket.terminate();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
