/** A recording forwards only calls of tools that the recorded process itself lists. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { JUNCTOR, makeHome, promise } from '@junctor/testkit';
import { expect, onTestFinished } from 'vitest';

/** Runs every tool it is asked for, listed or not. Its list has two pages; `more` adds a tool and announces that. */
const SERVER = `
const names = ['first', 'second', 'more'];
const say = message => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const page = cursor => cursor === undefined
  ? { tools: [{ name: names[0], inputSchema: { type: 'object' } }], nextCursor: 'rest' }
  : { tools: names.slice(1).map(name => ({ name, inputSchema: { type: 'object' } })) };
require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize') return say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } });
  if (method === 'tools/list') return setTimeout(() => say({ id, result: page(params?.cursor) }), 50);
  if (params.name === 'more') { names.push('third'); say({ method: 'notifications/tools/list_changed' }); }
  say({ id, result: { content: [{ type: 'text', text: 'ran ' + params.name }] } });
});`;

interface Answer {
  readonly result?: { readonly content?: readonly { readonly text: string }[] };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: { readonly why?: string } };
}

promise(
  '10.1b',
  'a recording never forwards a name that its server does not list, and follows the list as it changes',
  async () => {
    await using home = await makeHome();
    const servers = { odd: { transport: 'stdio', command: process.execPath, args: ['-e', SERVER] } };
    const config = await home.write('servers.json', { version: 1, servers });
    const file = join(home.path, 'tape.jsonl');
    const child = spawn(process.execPath, [JUNCTOR, 'record', 'odd', file, '--config', config], {
      cwd: home.project,
      env: home.env,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    onTestFinished(() => void child.kill());
    const answers = new Map<unknown, (answer: Answer) => void>();
    createInterface({ input: child.stdout }).on('line', text => {
      const message = JSON.parse(text);
      answers.get(message.id)?.(message);
    });
    let id = 0;
    const say = (message: object): void =>
      void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const ask = (method: string, params: object) =>
      new Promise<Answer>(resolve => {
        answers.set(++id, resolve);
        say({ id, method, params });
      });
    const call = async (name: string) => {
      const { result, error } = await ask('tools/call', { name, arguments: {} });
      return error ? [error.code, error.message, error.data?.why] : result?.content?.[0]?.text;
    };
    const clientInfo = { name: 'client', version: '1' };
    await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    say({ method: 'notifications/initialized' });
    // The client has read no list: the recording reads it, every page of it.
    expect([await call('second'), await call('hidden'), await call('third')]).toEqual([
      'ran second',
      [-32602, "Server 'odd' has no tool 'hidden'.", 'the server does not list it'],
      [-32602, "Server 'odd' has no tool 'third'.", 'the server does not list it'],
    ]);
    expect([await call('more'), await call('third')]).toEqual(['ran more', 'ran third']);
    // A call that is cancelled before its tool was found on the list is not forwarded either.
    const cancelled = ask('tools/call', { name: 'unknown', arguments: {} }).then(() => 'answered');
    say({ method: 'notifications/cancelled', params: { requestId: id } });
    expect(await call('first')).toBe('ran first');
    child.stdin.end();
    await once(child, 'close');
    expect(await Promise.race([cancelled, 'not answered'])).toBe('not answered');
    const recorded = await readFile(file, 'utf8');
    expect(recorded).not.toContain('"hidden"');
    // The recording holds what the client and the server said to each other, and nothing that it asked for itself.
    expect(recorded).not.toContain('tools/list"');
  },
);
