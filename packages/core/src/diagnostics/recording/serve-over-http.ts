/** A recording behind Streamable HTTP, on this machine only: every message is a POST, answered with an event stream. */

import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseKeepingDigits } from '../../base/json/exact-json.ts';
import { isObject } from '../../base/json/is-object.ts';
import { http } from '../../base/network/node-http.ts';
import type { RecordedServer } from './recorded-server.ts';
import type { RpcMessage } from './recording.ts';

const MAX_REQUEST_BYTES = 16 * 1024 * 1024;

/** A page in a browser reaches this port too, but under a name of its own. */
const OWN_HOSTS = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

export async function serveRecordingOverHttp(
  server: RecordedServer,
  port: number,
): Promise<AsyncDisposable & { readonly url: string }> {
  const door = http.createServer((request, response) => {
    answer(server, request, response).catch(() => response.destroy());
  });
  door.listen(port, '127.0.0.1');
  await once(door, 'listening');
  return {
    url: `http://127.0.0.1:${(door.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      door.closeAllConnections();
      door.close();
      await once(door, 'close');
    },
  };
}

async function answer(server: RecordedServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!OWN_HOSTS.test(request.headers.host ?? '') || request.headers.origin !== undefined) {
    return void response.writeHead(403).end();
  }
  if (request.method !== 'POST') return void response.writeHead(405, { allow: 'POST' }).end();
  const message = await readMessage(request);
  if (!message) return void response.writeHead(400).end();
  if (message.method === undefined || message.id === undefined) {
    response.writeHead(202).end();
    return server.hear(message, () => {});
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  let answered = false;
  await server.hear(message, said => {
    response.write(`event: message\ndata: ${JSON.stringify(said)}\n\n`);
    answered ||= 'result' in said || 'error' in said;
  });
  // A request that was never answered stays open, as it did.
  if (answered) response.end();
}

async function readMessage(request: IncomingMessage): Promise<RpcMessage | undefined> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > MAX_REQUEST_BYTES) return undefined;
    pieces.push(piece);
  }
  try {
    const value = parseKeepingDigits(Buffer.concat(pieces).toString('utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
