/**
 * Answers pings late or never. `work` keeps the only thread busy for `ms`. With the argument `chatty` it never answers a ping,
 * and sends a log line every 20 ms.
 */
import { createInterface } from 'node:readline';
import { say, sayText } from './wire.ts';

const chatty = process.argv.includes('chatty');
let pings = 0;
if (chatty) {
  const line = { level: 'info', data: 'still here' };
  setInterval(() => say({ method: 'notifications/message', params: line }), 20);
}

createInterface({ input: process.stdin })
  .on('line', line => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    if (method === 'ping') {
      pings++;
      if (!chatty) say({ id, result: {} });
    } else if (method === 'initialize') {
      const capabilities = { tools: {}, logging: {} };
      say({ id, result: { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'late', version: '1' } } });
    } else if (method === 'tools/call') {
      if (params.name === 'work') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, params.arguments.ms);
      sayText(id, String(params.name === 'pings' ? pings : process.pid));
    } else say({ id, result: { tools: ['work', 'pings', 'pid'].map(name => ({ name, inputSchema: OBJECT })) } });
  })
  .on('close', () => process.exit());

const OBJECT = { type: 'object' };
