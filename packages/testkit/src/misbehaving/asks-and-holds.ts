/**
 * `ask` asks a person, and fails where its question is refused; `look` does the same, and may be repeated. `hold` answers once a
 * question was refused: so two sessions are inside when the question comes. `counts` tells how many were asked and are held.
 */
import { createInterface } from 'node:readline';
import { GREETING, type Message, say, sayText, toolNamed } from './wire.ts';

interface Answer {
  readonly id?: string;
  readonly method?: string;
  readonly params?: { readonly requestId?: number };
  readonly result?: { readonly content?: { readonly name?: string } };
  readonly error?: unknown;
}

const looking = new Map<string, number | undefined>();
const holding = new Set<number | undefined>();
let asked = 0;

const TOOLS = [
  { ...toolNamed('look'), annotations: { readOnlyHint: true } },
  ...['ask', 'hold', 'counts'].map(name => toolNamed(name)),
];

createInterface({ input: process.stdin }).on('line', line => {
  const message = JSON.parse(line) as Message & Answer;
  const { id, method, params } = message;
  if (method === 'initialize') say({ id, result: GREETING });
  else if (method === 'tools/list') say({ id, result: { tools: TOOLS } });
  else if (method === 'tools/call') call(id, params?.name);
  else if (method === 'notifications/cancelled') holding.delete(message.params?.requestId);
  else if (method === undefined) answered(message);
  else if (id !== undefined) say({ id, result: {} });
});

function call(id: number | undefined, tool: string | undefined): void {
  if (tool === 'hold') holding.add(id);
  else if (tool === 'counts') sayText(id, `${asked} asked, ${holding.size} held`);
  else {
    const question = `q${++asked}`;
    looking.set(question, id);
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
    say({ id: question, method: 'elicitation/create', params: { message: 'Your name?', requestedSchema } });
  }
}

function answered({ id, result, error }: Answer): void {
  const call = looking.get(id ?? '');
  looking.delete(id ?? '');
  if (error === undefined) return sayText(call, `hello ${result?.content?.name}`);
  say({ id: call, result: { isError: true, content: [{ type: 'text', text: 'cannot ask' }] } });
  for (const held of holding) sayText(held, 'held');
  holding.clear();
}
