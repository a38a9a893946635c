/** The least a server must say over HTTP, for servers that then go wrong. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { GREETING, type Message } from './wire.ts';

/** Answers greeting and listing as JSON documents; every call goes to `onCall`. */
export async function answerHttp(
  request: IncomingMessage,
  response: ServerResponse,
  tools: readonly string[],
  onCall: (message: Message, response: ServerResponse) => void,
): Promise<void> {
  const message = await readMessage(request);
  const { id, method } = message;
  if (method === 'tools/call') onCall(message, response);
  else if (method === 'initialize') sendJson(response, { id, result: GREETING });
  else if (method === 'ping') sendJson(response, { id, result: {} });
  else if (method === 'tools/list') {
    sendJson(response, { id, result: { tools: tools.map(name => ({ name, inputSchema: { type: 'object' } })) } });
  } else if (id !== undefined)
    sendJson(response, { id, error: { code: -32601, message: `Method not found: ${method}` } });
  else response.writeHead(request.method === 'POST' ? 202 : 405).end();
}

export async function readMessage(request: IncomingMessage): Promise<Message> {
  let body = '';
  for await (const chunk of request) body += chunk;
  return body === '' ? {} : (JSON.parse(body) as Message);
}

export function sendJson(response: ServerResponse, message: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', ...message }));
}

export function sendText(response: ServerResponse, id: number | undefined, text: string): void {
  sendJson(response, { id, result: { content: [{ type: 'text', text }] } });
}
