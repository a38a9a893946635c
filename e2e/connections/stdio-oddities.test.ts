/** What programs do with their pipes that no protocol foresees. */
import { setImmediate as turn } from 'node:timers/promises';
import { createHost } from '@junctor/core';
import { expect, test } from 'vitest';

/** `before` runs at its start, `listed` once it has listed its tools, `called` in place of an answer to a call. */
function server({ before = '', listed = '', called = '' }: { before?: string; listed?: string; called?: string }) {
  const code = `
    ${before}
    const RESULTS = {
      initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
      'tools/list': { tools: [{ name: 'work', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [{ type: 'text', text: 'done' }] },
    };
    require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
      const { id, method } = JSON.parse(line);
      if (method === 'tools/call') { ${called} }
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: RESULTS[method] ?? {} }));
      if (method === 'tools/list') setTimeout(() => { ${listed} }, 50);
    });`;
  return { transport: 'stdio', command: process.execPath, args: ['-e', code], protocol: 'legacy', trust: 'trusted' };
}

test('a mark of the byte order before the first message is not taken for a part of it', async () => {
  const marks = server({ before: "process.stdout.write('\\ufeff');" });
  await using host = await createHost({ config: { servers: { marks } }, attempts: 1 });
  expect((await host.call({ server: 'marks', tool: 'work' })).output).toBe('done');
});

test('a server that closes its stdin and runs on is lost, with its last words, and is started anew', async () => {
  const closing =
    "process.stdin.destroy(); require('node:fs').closeSync(0); console.error('deaf'); setInterval(() => {}, 60_000);";
  await using host = await createHost({ config: { servers: { deaf: server({ listed: closing }) } }, attempts: 1 });
  const { program } = (await host.links.ready('deaf')).conversation;
  await host.collect('deaf');
  await expect.poll(() => program.output?.lines(1)).toBe('deaf');
  await expect(host.call({ server: 'deaf', tool: 'work' })).rejects.toMatchObject({
    code: 'connection_lost',
    message: "Server 'deaf' has closed its stdin, and hears nothing any more.",
    why: 'its last lines on stderr:\ndeaf',
  });
  await expect.poll(() => host.links.state('deaf').kind).toBe('ready');
});

test('a server that closes its stdout and runs on is lost, with its last words, and is started anew', async () => {
  const closing = "require('node:fs').closeSync(1); console.error('mute'); setInterval(() => {}, 60_000); return;";
  await using host = await createHost({ config: { servers: { mute: server({ called: closing }) } }, attempts: 1 });
  await host.links.ready('mute');
  await host.collect('mute');
  await expect(host.call({ server: 'mute', tool: 'work' })).rejects.toMatchObject({
    code: 'connection_lost',
    message: "Server 'mute' has closed its stdout.",
    why: 'it runs on, and can answer nothing any more; its last lines on stderr:\nmute',
  });
  await expect.poll(() => host.links.state('mute').kind).toBe('ready');
});

test('an answer that came while this program itself was held still is not too late', async () => {
  const x = { ...server({}), tool_timeout_ms: 300 };
  await using host = await createHost({ config: { servers: { x } }, attempts: 1 });
  await host.links.ready('x');
  const called = host.call({ server: 'x', tool: 'work' });
  await turn();
  // As Ctrl-Z does it, and a debugger.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
  expect((await called).output).toBe('done');
});
