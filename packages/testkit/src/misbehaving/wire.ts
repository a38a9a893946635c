/** The least a server must say, for servers that then go wrong. */
import { createInterface } from 'node:readline';

export interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly arguments?: Record<string, unknown> };
}

export function say(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

export function sayText(id: number | undefined, text: string): void {
  say({ id, result: { content: [{ type: 'text', text }] } });
}

const GREETING = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'misbehaving', version: '1' },
};

/** Greets and lists the tools by name; every call goes to `onCall`. */
export function serve(tools: readonly string[], onCall: (message: Message) => void): void {
  createInterface({ input: process.stdin }).on('line', line => {
    const message = JSON.parse(line) as Message;
    if (message.method === 'initialize') say({ id: message.id, result: GREETING });
    else if (message.method === 'tools/list') {
      say({ id: message.id, result: { tools: tools.map(name => ({ name, inputSchema: { type: 'object' } })) } });
    } else if (message.method === 'tools/call') onCall(message);
  });
}
