/**
 * Servers from before 2026-07-28 that take a question they do not know in different ways: `answers` with an error, stays
 * `silent`, or `dies`. Each writes what it was asked to a file, one method a line, and `start` when it begins.
 */
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [manner, diary] = process.argv.slice(2) as ['answers' | 'silent' | 'dies', string];
const note = (word: string): void => appendFileSync(diary, `${word}\n`);
const say = (message: object): boolean => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

note('start');
createInterface({ input: process.stdin }).on('line', line => {
  const { id, method } = JSON.parse(line) as { id?: number; method: string };
  note(method);
  if (id === undefined) return;
  if (method === 'initialize') {
    const serverInfo = { name: 'old', version: '1' };
    say({ id, result: { protocolVersion: '2025-03-26', capabilities: { tools: {} }, serverInfo } });
  } else if (method === 'tools/list')
    say({ id, result: { tools: [{ name: 'hello', inputSchema: { type: 'object' } }] } });
  else if (method === 'tools/call') say({ id, result: { content: [{ type: 'text', text: 'hello' }] } });
  else if (method === 'ping') say({ id, result: {} });
  else if (manner === 'answers') say({ id, error: { code: -32601, message: 'Method not found' } });
  else if (manner === 'dies') process.exit(1);
});
