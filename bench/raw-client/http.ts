/** A client on Streamable HTTP with a session. Reads an answer as JSON or as a stream of events. */
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { INITIALIZE, INITIALIZED, type Message, type RawClient, refusal } from './json-rpc.ts';

/** More than the highest concurrency measured: fewer, and the client would queue where the gateway should. */
const MAX_SOCKETS = 128;

export async function openHttp(url: string, extraHeaders: Readonly<Record<string, string>> = {}): Promise<RawClient> {
  const { hostname, port, pathname } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  const sessionHeaders: Record<string, string> = {};
  let lastId = 0;

  function post(message: Message): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const body = JSON.stringify(message);
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'content-length': Buffer.byteLength(body),
      ...extraHeaders,
      ...sessionHeaders,
    };
    const request = httpRequest({ host: hostname, port, path: pathname, method: 'POST', agent, headers }, response => {
      const session = response.headers['mcp-session-id'];
      if (typeof session === 'string') sessionHeaders['mcp-session-id'] = session;
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () => {
        try {
          resolve(read(response, Buffer.concat(pieces).toString(), message.id));
        } catch (error) {
          reject(error);
        }
      });
    });
    request.on('error', reject);
    request.end(body);
    return promise;
  }

  const request = (method: string, params: object) => post({ jsonrpc: '2.0', id: ++lastId, method, params } as Message);
  const greeting = (await request('initialize', INITIALIZE)) as { protocolVersion: string };
  sessionHeaders['mcp-protocol-version'] = greeting.protocolVersion;
  await post(INITIALIZED);
  return {
    request,
    async close() {
      agent.destroy();
    },
  };
}

function read(response: IncomingMessage, text: string, id: Message['id']): unknown {
  if ((response.statusCode ?? 0) >= 400) throw new Error(`HTTP ${response.statusCode} ${text.slice(0, 200)}`);
  if (id === undefined) return undefined;
  const answer = isEventStream(response) ? answerIn(text, id) : (JSON.parse(text) as Message);
  if (answer.error) throw refusal(answer.error);
  return answer.result;
}

function isEventStream(response: IncomingMessage): boolean {
  return response.headers['content-type']?.startsWith('text/event-stream') ?? false;
}

function answerIn(stream: string, id: Message['id']): Message {
  for (const line of stream.split('\n')) {
    // A stream may open with an empty event that only carries an id to resume from.
    if (!line.startsWith('data:') || line.trim() === 'data:') continue;
    const message = JSON.parse(line.slice('data:'.length)) as Message;
    if (message.id === id && message.method === undefined) return message;
  }
  throw new Error('the stream ended without an answer');
}
