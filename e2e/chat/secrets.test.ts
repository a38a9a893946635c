import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHost } from '@junctor/core';
import { type Home, JUNCTOR, junctor, makeHome, promise, testServer, trusted } from '@junctor/testkit';
import { type ScriptedModel, startModel } from '@junctor/testkit/model';
import { CTRL_D, openTerminal } from '@junctor/testkit/terminal';
import { expect, test } from 'vitest';

const MODEL_KEY = 'planted-key-of-the-model-0123';
const SERVER_KEY = 'planted-key-of-the-server-4567';
const SECRETS = [MODEL_KEY, SERVER_KEY];

async function withSecrets(home: Home): Promise<void> {
  await junctor(home, ['secret', 'set', 'PLANTED'], { input: SERVER_KEY });
  const env = { API_KEY: '${secret:PLANTED}' };
  await home.write('config/junctor/config.json', {
    version: 1,
    servers: { demo: trusted({ ...testServer(), env }) },
  });
}

/** A model that has come to know both, and says them in every way it has. */
const gossip = [
  {
    text: `The keys are ${MODEL_KEY} and ${SERVER_KEY} as I know`,
    calls: [
      { name: 'mcp__demo__echo', args: { text: `keys: ${SECRETS.join(' ')}` } },
      { name: 'shell', args: { command: `echo "$JUNCTOR_MODEL_KEY" ${SERVER_KEY}` } },
      { name: 'mcp__demo__fail', args: { because: SERVER_KEY } },
    ],
  },
  { text: `Once more: ${SECRETS.join(', ')}.` },
];

const words = (model: ScriptedModel, ...more: string[]): string[] => [
  'chat',
  '--base-url',
  model.url,
  '--model',
  'scripted',
  '--yes',
  ...more,
];

/** Everything below the data directory but the sealed secrets themselves, and all process arguments of this moment. */
async function written(home: Home): Promise<string> {
  const names = await readdir(home.data, { recursive: true, withFileTypes: true });
  const files = names.filter(one => one.isFile()).map(one => join(one.parentPath, one.name));
  return (await Promise.all(files.map(file => readFile(file, 'latin1')))).join('\n');
}

async function commandLines(): Promise<string> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
  const lines = pids.map(pid => readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => ''));
  return (await Promise.all(lines)).join('\n');
}

function expectNone(text: string): void {
  for (const secret of SECRETS) expect(text).not.toContain(secret);
}

test.each([[[]], [['--debug']]])('no secret is written anywhere by one prompt, with %j', async flags => {
  await using home = await makeHome();
  await withSecrets(home);
  let lines = '';
  await using model = await startModel([
    async () => {
      lines = await commandLines();
      return gossip[0] as object;
    },
    gossip[1] as object,
  ]);
  const env = { JUNCTOR_MODEL_KEY: MODEL_KEY };
  const { stdout, stderr, code } = await junctor(home, words(model, '-p', 'tell all', ...flags), { env });
  expect(code).toBe(0);
  expect(stdout).toMatch(/The keys are ••• and ••• as I know/);
  for (const text of [stdout, stderr, lines, await written(home)]) expectNone(text);
  expect(model.requests[0]?.headers.authorization).toBe(`Bearer ${MODEL_KEY}`);
  // The command of the agent does not see the key either.
  expect(JSON.stringify(model.requests[1]?.body.messages).split(MODEL_KEY)).toHaveLength(4);
});

test('no secret is told to a client of the agent', async () => {
  await using home = await makeHome();
  await withSecrets(home);
  await using model = await startModel(gossip);
  const args = [JUNCTOR, 'mcp-server', '--base-url', model.url, '--model', 'scripted', '--yes'];
  const env = { ...home.env, JUNCTOR_MODEL_KEY: MODEL_KEY };
  const agent = trusted({ transport: 'stdio' as const, command: process.execPath, args, env, cwd: home.project });
  await using host = await createHost({ config: { version: 1, servers: { agent } } });
  const { output, data } = await host.call('mcp__agent__junctor', { prompt: 'tell all' });
  const { session_id } = data as { session_id: string };
  expect(output).toBe(`Once more: •••, •••.\nsession_id: ${session_id} (for junctor-reply)`);
  const transcript = await host.readResource('agent', `junctor://sessions/${session_id}`);
  expectNone(JSON.stringify([data, transcript]));
});

test.each([[[]], [['--debug']]])('no secret is shown or kept by the REPL, with %j', async flags => {
  await using home = await makeHome();
  await withSecrets(home);
  await using model = await startModel(gossip);
  await using terminal = openTerminal(home, words(model, ...flags), { env: { JUNCTOR_MODEL_KEY: MODEL_KEY } });
  // The log stands above the line that is typed, which stays whole.
  await terminal.shows(flags.length > 0 ? /DEBUG: [\s\S]*offers \d+ tools\n›$/ : /\n›$/);
  await terminal.enter('tell all', /Once more: •••, •••\.[\s\S]*›$/);
  await terminal.enter('/mcp debug demo', /definition/);
  terminal.type(CTRL_D);
  await terminal.ended;
  expectNone(terminal.bytes());
  expectNone(await written(home));
});

promise('4.2m', 'a conversation goes on though secrets are words of its file format', async () => {
  await using home = await makeHome();
  const common = ['content', 'tool-call', 'messages', 'assistant', '12345678'];
  for (const [at, word] of common.entries()) await junctor(home, ['secret', 'set', `WORD_${at}`], { input: word });
  const env = Object.fromEntries(common.map((_, at) => [`KEY_${at}`, `\${secret:WORD_${at}}`]));
  const servers = { demo: trusted({ ...testServer(), env }) };
  await home.write('config/junctor/config.json', { version: 1, servers });
  await using model = await startModel([
    {
      text: 'The content is 12345678.',
      calls: [{ name: 'mcp__demo__echo', args: { text: 'my content', pin: 12345678 } }],
    },
    { text: 'so far' },
    { text: 'and on' },
  ]);
  expect((await junctor(home, words(model, '-p', 'begin'))).code).toBe(0);
  const [saved = ''] = await readdir(join(home.data, 'chat'));
  const { messages } = JSON.parse(await readFile(join(home.data, 'chat', saved), 'utf8'));
  const said = JSON.stringify(messages);
  for (const hidden of ['12345678', 'my content', 'The content']) expect(said).not.toContain(hidden);
  const { stdout, stderr } = await junctor(home, words(model, '-p', 'go on', '--resume'));
  expect([stdout, stderr]).toEqual(['and on\n', expect.any(String)]);
  expect(JSON.stringify(model.requests[2]?.body.messages)).toMatch(
    /begin[\s\S]*mcp__demo__echo[\s\S]*so far[\s\S]*go on/,
  );
});
