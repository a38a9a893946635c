/** Nothing waits in silence or longer than it has to, and a server hears when a call is given up. */
import { readFile } from 'node:fs/promises';
import { createHost } from '@junctor/core';
import { type Home, junctor, makeHome, misbehaving, promise } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { missingTerminal, startAtTerminal } from '../sign-in/at-terminal.ts';

promise('2.7n', 'a server that is silent for its whole connect timeout is tried once', async () => {
  const mute = { ...misbehaving('never-answers'), connect_timeout_ms: 400 };
  await using host = await createHost({ config: { servers: { mute } } });
  const attempts: number[] = [];
  host.events.on('state-changed', ({ state }) => {
    if (state.kind === 'connecting') attempts.push(state.attempt);
  });
  await expect(host.links.ready('mute')).rejects.toMatchObject({ code: 'timeout' });
  expect(attempts).toEqual([1]);
});

promise('2.7n', 'a command that waits for a server says so, also where no terminal is', async () => {
  await using home = await makeHome();
  const mute = { ...misbehaving('never-answers'), connect_timeout_ms: 11_000 };
  await home.write('config/junctor/config.json', { servers: { mute } });
  for (const words of [
    ['mcp', 'tools', 'mute'],
    ['mcp', 'call', 'mute', 'any', '--yes'],
  ]) {
    const { code, stderr } = await junctor(home, words);
    expect([words[1], code]).toEqual([words[1], 1]);
    expect(stderr).toContain("still waiting for 'mute' …");
    expect(stderr).toContain("Server 'mute' did not start within 11000 ms.");
  }
});

promise('2.7p', 'a command that waits for a server that fails at once says that it is tried again', async () => {
  await using home = await makeHome();
  const servers = { dies: misbehaving('dies-early'), nobody: { transport: 'http', url: 'http://127.0.0.1:1/mcp' } };
  await home.write('config/junctor/config.json', { servers });
  const commands: [readonly string[], readonly string[]][] = [
    [
      ['mcp', 'tools'],
      ['dies', 'nobody'],
    ],
    [['mcp', 'tools', 'dies'], ['dies']],
    [['mcp', 'call', 'nobody', 'any', '--yes'], ['nobody']],
    [['lock'], ['dies', 'nobody']],
    [['explain', 'dies/any'], ['dies']],
  ];
  const told = commands.map(async ([words]) => {
    const { stderr } = await junctor(home, words);
    const lines = stderr.split('\n').filter(line => line.endsWith('; trying again …'));
    return [words, lines.map(line => /'(\w+)'/.exec(line)?.[1]).sort()];
  });
  expect(await Promise.all(told)).toEqual(commands);
});

/** Answers the greeting, never a call, and writes down every method that it hears. */
const LISTENER = `
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const say = message => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line);
  appendFileSync(process.env.HEARD, method + '\\n');
  if (method === 'initialize') say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'l', version: '1' } } });
  else if (method === 'tools/list') say({ id, result: { tools: [{ name: 'hang', inputSchema: { type: 'object' } }] } });
  else if (method === 'server/discover') say({ id, error: { code: -32601, message: 'no' } });
});`;

async function listener(home: Home): Promise<{ definition: object; heard(): Promise<string> }> {
  const file = await home.write('listener.mjs', LISTENER);
  const log = await home.write('heard.txt', '');
  const definition = { transport: 'stdio' as const, command: process.execPath, args: [file], env: { HEARD: log } };
  return { definition, heard: () => readFile(log, 'utf8') };
}

promise('2.8q', 'a stdio server hears of a call that times out or is given up as its connection closes', async () => {
  await using home = await makeHome();
  const { definition, heard } = await listener(home);
  await home.write('config/junctor/config.json', { servers: { l: { ...definition, tool_timeout_ms: 500 } } });
  const { code } = await junctor(home, ['mcp', 'call', 'l', 'hang', '--yes']);
  expect([code, await heard()]).toEqual([1, expect.stringContaining('tools/call\nnotifications/cancelled\n')]);
});

promise('2.8q', 'aborting a call and closing the host at once still cancels it at the server', async () => {
  await using home = await makeHome();
  const { definition, heard } = await listener(home);
  const host = await createHost({ config: { servers: { l: definition } } as never });
  const giveUp = new AbortController();
  const call = host.call({ server: 'l', tool: 'hang' }, {}, { signal: giveUp.signal, ask: async () => true });
  const settled = call.catch(() => {});
  await expect.poll(heard).toContain('tools/call\n');
  giveUp.abort();
  await Promise.all([host.close(), settled]);
  expect(await heard()).toContain('notifications/cancelled\n');
});

test('Ctrl-C at a terminal cancels the call at the server', async context => {
  const missing = missingTerminal();
  if (missing) return context.skip(missing);
  await using home = await makeHome();
  const { definition, heard } = await listener(home);
  await home.write('config/junctor/config.json', { servers: { l: definition } });
  const command = startAtTerminal(home, ['mcp', 'call', 'l', 'hang', '--yes']);
  await expect.poll(heard, { timeout: 20_000 }).toContain('tools/call\n');
  command.type('\x03');
  expect(await command.ended).toMatchObject({ code: 130 });
  expect(await heard()).toContain('notifications/cancelled\n');
});
