/** Offers a tool for each feature that its client has, beside `always`. Each call is answered with the id of the process. */
import { createInterface } from 'node:readline';
import { GREETING, say, sayText, toolNamed } from './wire.ts';

let features: string[] = [];
createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize') {
    features = ['sampling', 'elicitation'].filter(name => params.capabilities[name] !== undefined);
    say({ id, result: GREETING });
  } else if (method === 'tools/list') {
    say({ id, result: { tools: ['always', ...features.map(name => `needs_${name}`)].map(toolNamed) } });
  } else if (method === 'tools/call') sayText(id, String(process.pid));
  else say({ id, result: {} });
});
