/** Announces that resources can be subscribed to, and refuses every subscription with the code of its own. */
import { createInterface } from 'node:readline';
import { say } from './wire.ts';

createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize') {
    const serverInfo = { name: 'picky', version: '1' };
    const capabilities = { tools: {}, resources: { subscribe: true } };
    say({ id, result: { protocolVersion: '2025-11-25', capabilities, serverInfo } });
  } else if (method === 'resources/subscribe') {
    say({ id, error: { code: -32002, message: 'Resource not found', data: { uri: params.uri } } });
  } else if (method === 'tools/list') say({ id, result: { tools: [] } });
  else if (method === 'resources/list') say({ id, result: { resources: [] } });
  else if (method === 'ping') say({ id, result: {} });
  else say({ id, error: { code: -32601, message: `Method not found: ${method}` } });
});
