/** JSON that is nested deeper than most programs can walk: it may cost itself, and never the program. */
import { createHost } from '@junctor/core';
import { describe, expect, test } from 'vitest';

/** Sends what the name of the tool says, with a value nested so deeply that writing it as JSON fails, then answers. */
const SERVER = `
const deep = '['.repeat(200_000) + ']'.repeat(200_000);
const write = text => process.stdout.write(text + '\\n');
const say = message => write(JSON.stringify({ jsonrpc: '2.0', ...message }));
const SENT = {
  logs: '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":' + deep + '}}',
  asks: '{"jsonrpc":"2.0","id":' + deep + ',"method":"ping"}',
  wants: '{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"?","requestedSchema":' + deep + '}}',
};
const RESULTS = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'deep', version: '1' } },
  'tools/list': { tools: ['logs', 'asks', 'wants', 'answers', 'none'].map(name => ({ name, inputSchema: { type: 'object' } })) },
  'tools/call': { content: [{ type: 'text', text: 'done' }] },
};
require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || method === undefined) return;
  if (SENT[params?.name]) write(SENT[params.name]);
  if (params?.name === 'answers') return write('{"jsonrpc":"2.0","id":' + id + ',"result":{"content":[],"structuredContent":{"a":' + deep + '}}}');
  say(RESULTS[method] ? { id, result: RESULTS[method] } : { id, error: { code: -32601, message: 'unknown' } });
});`;

describe('a server that', () => {
  test.for(['logs', 'asks', 'wants'])('%s something nested too deeply is used all the same', async tool => {
    await using host = await createHost({
      config: {
        servers: { x: { transport: 'stdio', command: process.execPath, args: ['-e', SERVER], trust: 'trusted' } },
      },
      elicit: () => ({ action: 'decline' }),
    });
    const told: string[] = [];
    host.events.listen(({ type }) => told.push(type));
    expect((await host.call({ server: 'x', tool })).output).toBe('done');
    expect((await host.call({ server: 'x', tool: 'none' })).output).toBe('done');
    expect(told).not.toContain('log-message');
  });

  test('answers something nested too deeply fails that call alone, and is told why', async () => {
    const x = { transport: 'stdio', command: process.execPath, args: ['-e', SERVER], trust: 'trusted' };
    await using host = await createHost({ config: { servers: { x } } });
    await expect(host.call({ server: 'x', tool: 'answers' })).rejects.toMatchObject({
      code: 'malformed_response',
      message: "Server 'x' answered the call of 'answers' nested too deeply.",
      outcome: 'done',
    });
    expect((await host.call({ server: 'x', tool: 'none' })).output).toBe('done');
  });
});
