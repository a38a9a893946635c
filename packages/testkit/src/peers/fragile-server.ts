/**
 * Dies in the middle of a call, once: the process that is started after it answers. Writes every call to a file. One of its
 * tools says that running it twice does no harm, the other says nothing.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [diary] = process.argv.slice(2) as [string];
const say = (message: object): boolean => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const inputSchema = { type: 'object' };

createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line) as { id?: number; method: string; params?: { name?: string } };
  if (id === undefined) return;
  if (method === 'initialize') {
    const serverInfo = { name: 'fragile', version: '1' };
    say({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } });
  } else if (method === 'tools/list') {
    const harmless = { name: 'look', inputSchema, annotations: { readOnlyHint: true } };
    say({ id, result: { tools: [harmless, { name: 'pay', inputSchema }] } });
  } else if (method === 'tools/call') {
    appendFileSync(diary, `${params?.name}\n`);
    const calls = readFileSync(diary, 'utf8').trim().split('\n').length;
    if (calls === 1) process.exit(1);
    say({ id, result: { content: [{ type: 'text', text: `call ${calls}` }] } });
  } else say({ id, error: { code: -32601, message: 'Method not found' } });
});
