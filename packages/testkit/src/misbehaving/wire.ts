/** The least a server must say, for servers that then go wrong. */
import { createInterface } from 'node:readline';

export interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly arguments?: Record<string, unknown>; readonly cursor?: string };
}

export function say(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

export function sayText(id: number | undefined, text: string): void {
  say({ id, result: { content: [{ type: 'text', text }] } });
}

export const GREETING = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'misbehaving', version: '1' },
};

/** Greets and lists the tools by name; every call goes to `onCall`. */
export function serve(tools: readonly string[], onCall: (message: Message) => void): void {
  serveList(message => ({ id: message.id, result: { tools: tools.map(toolNamed) } }), onCall);
}

/** The same with a list of its own making; `undefined` leaves the request without an answer. */
export function serveList(
  list: (message: Message) => object | undefined,
  onCall: (message: Message) => void = ({ id }) => sayText(id, 'ok'),
): void {
  createInterface({ input: process.stdin }).on('line', line => {
    const message = JSON.parse(line) as Message;
    const { id, method } = message;
    if (method === 'tools/call') onCall(message);
    else if (method === 'tools/list') {
      const answer = list(message);
      if (answer) say(answer);
    } else if (method === 'initialize') say({ id, result: GREETING });
    else if (method === 'ping') say({ id, result: {} });
    else if (id !== undefined) say({ id, error: { code: -32601, message: `Method not found: ${method}` } });
  });
}

export function toolNamed(name: string): { name: string; inputSchema: object } {
  return { name, inputSchema: { type: 'object' } };
}
