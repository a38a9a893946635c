import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { makeHome, ROOT } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { asking, peer } from './asking-host.ts';

const LIBRARY = join(ROOT, 'packages', 'core', 'dist', 'index.js');

/** A program of somebody's own. It prints what it saw, as JSON. */
const PROGRAM = `
  const { createHost } = await import(process.argv[1]);
  const { data, servers } = JSON.parse(process.argv[2]);
  const permissions = { allow: ['mcp__x__*', 'mcp__z__*'], ask: ['mcp__y__*'] };
  const host = await createHost({
    config: { version: 1, servers, permissions, results: { max_output_tokens: 100 } },
    data,
    sample: async () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: 'no' } }),
  });
  const failed = call => call.then(({ output }) => output, ({ code }) => code);
  const request = { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], maxTokens: 10 };
  const saw = {
    refusal: await failed(host.call({ server: 'x', tool: 'ask' }, { method: 'sampling/createMessage', params: request })),
    unasked: await failed(host.call({ server: 'y', tool: 'ask' })),
    missing: await failed(host.call({ server: 'z', tool: 'ask' })),
    kept: /result_id|read_result/.test(await failed(host.call({ server: 'x', tool: 'ask' }, { method: 'x'.repeat(5000) }))),
  };
  await host.close();
  process.stdout.write(JSON.stringify(saw));
`;

test('the library as it is built finds what is loaded with a first call, and knows its own errors there', async () => {
  await using home = await makeHome();
  const missing = { ...peer('asking'), command: 'no-such-program' };
  const servers = { x: asking(), y: asking(), z: missing };
  const words = ['--input-type=module', '-e', PROGRAM, LIBRARY, JSON.stringify({ data: home.data, servers })];
  expect(JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8' }))).toEqual({
    refusal: expect.stringContaining('The user refused the sampling request.'),
    unasked: 'approval_required',
    missing: 'command_not_found',
    kept: true,
  });
});

/** What it loads until it has a host: a project file with a program and an address, and rules. */
const MAKES_A_HOST = `
  const { registerHooks } = await import('node:module');
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  const { createHost } = await import(process.argv[1]);
  const host = await createHost({ data: process.argv[2] });
  process.stdout.write(JSON.stringify(loaded.map(url => url.replace(/.*[/]/, '').replace(/-.*/, ''))));
  await host.close();
`;

test('a host of an ordinary config is made without what few starts need', async () => {
  await using home = await makeHome();
  const servers = { x: asking(), far: { transport: 'http', url: 'http://127.0.0.1:9/mcp', enabled: true } };
  const permissions = { allow: ['mcp__x__*'], deny: ['mcp__far__*'] };
  await home.write('project/junctor.json', JSON.stringify({ version: 1, servers, permissions }));
  const words = ['--input-type=module', '-e', MAKES_A_HOST, LIBRARY, home.data];
  const loaded = JSON.parse(
    execFileSync(process.execPath, words, { cwd: home.project, env: home.env, encoding: 'utf8' }),
  );
  expect(loaded).toContain('library');
  expect(loaded.filter((name: string) => name.startsWith('seldom'))).toEqual([]);
});
