/** A server whose tools providers would refuse as they are, and a model that calls every tool it is shown. */
import { join } from 'node:path';
import { ROOT } from '@junctor/testkit';
import type { ModelRequest, Turn } from '@junctor/testkit/model';

export const odd = {
  transport: 'stdio',
  command: process.execPath,
  args: [join(ROOT, 'e2e', 'adapters', 'peers', 'odd-tools.ts')],
  trust: 'trusted',
} as const;

export type Sent = Readonly<Record<string, unknown>>;

/** Each definition that was sent, flat: Chat Completions and Gemini wrap theirs. */
export function definitions({ body }: ModelRequest): Sent[] {
  return (body.tools as Sent[]).flatMap(
    tool => (tool.functionDeclarations as Sent[]) ?? [(tool.function as Sent) ?? tool],
  );
}

export const callAll = (request: ModelRequest): Turn => ({
  calls: definitions(request)
    .filter(({ name }) => String(name).startsWith('mcp__'))
    .map(({ name }) => ({ name: String(name), args: { anything: true } })),
});
