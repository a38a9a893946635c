/**
 * Lists the tools that stand in a file, whatever they are: the file is the first argument. Each call is answered with the
 * name it was made by and its arguments. With `--slow-ms=500` it takes that long to greet.
 */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { GREETING, type Message, say, sayText } from './wire.ts';

const [, , file = ''] = process.argv;
const slowMs = Number(process.argv.find(word => word.startsWith('--slow-ms='))?.split('=')[1] ?? 0);

createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line) as Message;
  if (method === 'initialize') setTimeout(() => say({ id, result: GREETING }), slowMs);
  else if (method === 'tools/list') say({ id, result: { tools: JSON.parse(readFileSync(file, 'utf8')) } });
  else if (method === 'tools/call') sayText(id, JSON.stringify([params?.name, params?.arguments ?? {}]));
  else if (method === 'ping') say({ id, result: {} });
  else if (id !== undefined) say({ id, error: { code: -32601, message: `Method not found: ${method}` } });
});
