/** A server that is only slow to start is greeted the old way as well, and is not taken for an old one. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHost } from '@junctor/core';
import { makeHome } from '@junctor/testkit';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'hrtime'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Answers in turn, and nothing before both questions are there. It knows both eras; the file tells what it was asked. */
const SERVER = `
const { appendFileSync } = require('node:fs');
const tools = [{ name: 'hello', inputSchema: { type: 'object' } }];
const RESULTS = {
  'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
  'tools/list': { resultType: 'complete', tools },
};
let waiting = [];
require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
  const { id, method } = JSON.parse(line);
  appendFileSync(process.argv[1], method + '\\n');
  if (id === undefined) return;
  waiting.push({ id, result: RESULTS[method] });
  if (method === 'server/discover') return;
  const lines = waiting.splice(0).map(answer => JSON.stringify({ jsonrpc: '2.0', ...answer }));
  if (process.argv[2] === 'together') console.log(lines.join('\\n'));
  else for (const line of lines) console.log(line);
});`;

test.each(['one by one', 'together'])('a server whose answers both come late, %s, speaks the newer era', async how => {
  await using home = await makeHome();
  const diary = join(home.path, 'diary');
  const server = { transport: 'stdio', command: process.execPath, args: ['-e', SERVER, diary, how] };
  await using host = await createHost({ config: { servers: { slow: server } }, data: home.data });
  const ready = host.links.ready('slow');
  const asked = async (): Promise<string[]> => (await readFile(diary, 'utf8').catch(() => '')).split('\n').slice(0, -1);
  while (!(await asked()).includes('server/discover'));
  await vi.advanceTimersByTimeAsync(3000);
  expect((await ready).greeting.protocolVersion).toBe('2026-07-28');
  expect((await host.tools()).map(({ tool }) => tool)).toEqual(['hello']);
  expect(await asked()).toEqual(['server/discover', 'initialize', 'tools/list']);
});
