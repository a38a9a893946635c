/** Lists tools that are no tools beside one that is, over pages that never end when asked to. */
import { createInterface } from 'node:readline';
import { say, sayText } from './wire.ts';

const endless = process.argv.includes('--endless');
const pages: Record<string, object> = {
  '': { tools: [null, { description: 'no name' }, { name: 'good', inputSchema: { type: 'object' } }], nextCursor: '2' },
  '2': { tools: [{ name: 'good', inputSchema: {} }, { name: 'no_schema' }], ...(endless ? { nextCursor: '2' } : {}) },
};
createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') {
    const result = {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'bad', version: '1' },
    };
    say({ id, result });
  } else if (method === 'tools/list') say({ id, result: pages[params?.cursor ?? ''] });
  else if (id !== undefined) sayText(id, 'ok');
});
