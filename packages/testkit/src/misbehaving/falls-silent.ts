/**
 * Works until `hush` or `good_night` is called, then reads on and answers nothing any more, not even a ping. `good_night` is
 * still answered. A new one works again.
 */
import { createInterface } from 'node:readline';
import { say, sayText } from './wire.ts';

let silent = false;
createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line);
  if (silent || id === undefined) return;
  if (method === 'initialize') {
    const serverInfo = { name: 'silent', version: '1' };
    say({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } });
  } else if (method === 'tools/call' && params.name !== 'pid') {
    silent = true;
    if (params.name === 'good_night') sayText(id, 'good night');
  } else if (method === 'tools/call') sayText(id, String(process.pid));
  else say({ id, result: method === 'tools/list' ? { tools: TOOLS } : {} });
});

const TOOLS = [{ name: 'hush' }, { name: 'good_night' }, { name: 'pid' }];
