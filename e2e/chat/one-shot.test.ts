import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHost } from '@junctor/core';
import { type Home, junctor, makeHome, misbehaving, promise, testServer, trusted } from '@junctor/testkit';
import { type ScriptedModel, startModel } from '@junctor/testkit/model';
import { expect, test } from 'vitest';

/** What the last message of a request says, whatever its shape. */
const lastMessage = (model: ScriptedModel): string =>
  JSON.stringify((model.requests.at(-1)?.body.messages as [] | undefined)?.at(-1));

const toolNames = (model: ScriptedModel): string[] =>
  ((model.requests[0]?.body.tools ?? []) as { function: { name: string } }[]).map(tool => tool.function.name);

function ask(home: Home, model: ScriptedModel, prompt: string, ...more: string[]): ReturnType<typeof junctor> {
  return junctor(home, ['chat', '--base-url', model.url, '--model', 'scripted', '-p', prompt, ...more]);
}

const withServers = (home: Home, servers: object): Promise<string> =>
  home.write('config/junctor/config.json', { version: 1, servers });

promise(
  ['4.2b', '4.2e', '4.2f', '8.16b'],
  'chat answers one prompt through any OpenAI-compatible URL, with no server',
  async () => {
    await using home = await makeHome();
    await using model = await startModel([{ text: 'Good morning.' }]);
    const { stdout, code } = await ask(home, model, 'hello');
    expect([stdout, code]).toEqual(['Good morning.\n', 0]);
    expect(model.requests[0]?.path).toBe('/v1/chat/completions');
    expect(toolNames(model)).toEqual(['edit', 'list', 'read', 'search', 'shell', 'write']);
    expect(model.complaints).toEqual([]);
  },
);

promise(['A10p', 'A10e', '4.2f'], 'every native tool works, beside a server', async () => {
  await using home = await makeHome();
  await withServers(home, { demo: trusted(testServer()) });
  await writeFile(join(home.project, 'note.txt'), 'one\ntwo\n');
  await using model = await startModel([
    {
      calls: [
        { name: 'read', args: { path: 'note.txt' } },
        { name: 'list', args: {} },
        { name: 'search', args: { pattern: 'tw.' } },
        { name: 'write', args: { path: 'sub/new.txt', content: 'fresh' } },
        { name: 'shell', args: { command: 'printf shelled' } },
      ],
    },
    { calls: [{ name: 'edit', args: { path: 'sub/new.txt', old: 'fresh', new: 'changed' } }] },
    { text: 'done' },
  ]);
  const { stdout, code } = await ask(home, model, 'work', '--yes');
  expect([stdout, code]).toEqual(['done\n', 0]);
  // Everything that was discovered stands among the agent's own.
  await using host = await createHost({ config: { version: 1, servers: { demo: testServer() } } });
  const discovered = (await host.tools()).map(({ name }) => name);
  expect(discovered).toContain('mcp__demo__echo');
  expect(toolNames(model)).toEqual(expect.arrayContaining([...discovered, 'shell', 'read']));
  const answers = JSON.stringify(model.requests[1]?.body.messages);
  for (const said of ['1\\tone', 'note.txt', 'note.txt:2:two', 'wrote sub/new.txt', 'shelled']) {
    expect(answers).toContain(said);
  }
  expect(await readFile(join(home.project, 'sub', 'new.txt'), 'utf8')).toBe('changed');
});

promise(
  ['A10q', '3.1h', '4.2a'],
  'tools of MCP servers are called, several at once, under their mcp__ names',
  async () => {
    await using home = await makeHome();
    await withServers(home, { one: trusted(testServer()), two: trusted(testServer()) });
    await using model = await startModel([
      {
        text: 'I ask both.',
        calls: [
          { name: 'mcp__one__echo', args: { text: 'first' } },
          { name: 'mcp__two__echo', args: { text: 'second' } },
        ],
      },
      { text: 'Both answered.' },
    ]);
    const { stdout, stderr, code } = await ask(home, model, 'ask both');
    expect([stdout, code]).toEqual(['I ask both.\nBoth answered.\n', 0]);
    expect(JSON.stringify(model.requests[1]?.body.messages)).toMatch(/first[\s\S]*second/);
    await using host = await createHost({ config: { version: 1, servers: { one: testServer() } } });
    expect((await host.tools()).map(({ name }) => name)).toContain('mcp__one__echo');
    expect(stderr).toMatch(/→ one echo {"text":"first"}[\s\S]*✓ /);
  },
);

promise('8.16c', 'a call that needs asking is denied without a terminal, and runs with --yes', async () => {
  await using home = await makeHome();
  await withServers(home, { demo: testServer() });
  const script = [
    {
      calls: [
        { name: 'mcp__demo__echo', args: { text: 'hi' } },
        { name: 'shell', args: { command: 'echo ran' } },
      ],
    },
    { text: 'so be it' },
  ];
  await using model = await startModel([...script, ...script]);
  const denied = await ask(home, model, 'go');
  expect(denied.code).toBe(0);
  expect(denied.stderr).toMatch(/⊘ denied demo echo/);
  expect(denied.stderr).toMatch(/⊘ denied shell/);
  const allowed = await ask(home, model, 'go', '--yes');
  expect(allowed.stderr).toMatch(/✓ demo echo .*: hi/);
  expect(allowed.stderr).toMatch(/✓ shell .*: ran/);
});

promise(
  ['4.2c', '8.16a'],
  'chat speaks to OpenAI, Anthropic and Google, and --model and --base-url choose',
  async () => {
    await using home = await makeHome();
    await using model = await startModel([{ text: 'one' }, { text: 'two' }, { text: 'three' }, { text: 'four' }]);
    const env = {
      ANTHROPIC_API_KEY: 'sk-anthropic',
      GEMINI_API_KEY: 'sk-google',
      OPENAI_API_KEY: 'sk-openai',
      OPENAI_BASE_URL: model.url,
    };
    const said = [];
    for (const [name, url] of [
      ['anthropic/claude-x', model.url],
      ['google/gemini-3-x', model.geminiUrl],
      ['openai/gpt-x', model.url],
      ['openai/gpt-5-x', undefined],
    ] as const) {
      const words = ['chat', '--model', name, ...(url ? ['--base-url', url] : []), '-p', 'hello'];
      said.push((await junctor(home, words, { env })).stdout);
    }
    expect(said).toEqual(['one\n', 'two\n', 'three\n', 'four\n']);
    expect(model.requests.map(({ path }) => path)).toEqual([
      '/v1/messages',
      expect.stringContaining('/models/gemini-3-x:streamGenerateContent'),
      '/v1/chat/completions',
      '/v1/responses',
    ]);
    const keys = model.requests.map(
      ({ headers }) => headers['x-api-key'] ?? headers['x-goog-api-key'] ?? headers.authorization,
    );
    expect(keys).toEqual(['sk-anthropic', 'sk-google', 'Bearer sk-openai', 'Bearer sk-openai']);
  },
);

test('without a model the first run names three ways to one, and exits with 3', async () => {
  await using home = await makeHome();
  const { stderr, code } = await junctor(home, ['chat', '-p', 'hello']);
  expect(code).toBe(3);
  expect(stderr).toMatch(/No model is chosen[\s\S]*ANTHROPIC_API_KEY[\s\S]*11434[\s\S]*JUNCTOR_MODEL_KEY/);
});

test('a key comes from the secret store, and a key that is wrong is told in plain words', async () => {
  await using home = await makeHome();
  await using model = await startModel([{ text: 'hello' }, { fails: { status: 401, message: 'invalid x-api-key' } }]);
  await junctor(home, ['secret', 'set', 'ANTHROPIC_API_KEY'], { input: 'sk-stored-key-123' });
  const words = ['chat', '--model', 'anthropic/x', '--base-url', model.url, '-p', 'hi'];
  expect((await junctor(home, words)).stdout).toBe('hello\n');
  expect(model.requests[0]?.headers['x-api-key']).toBe('sk-stored-key-123');
  const refused = await junctor(home, words);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/does not accept the key[\s\S]*HTTP 401[\s\S]*secret set/),
  ]);
});

test('a provider that is busy is asked again; a wrong name, a dead address and a cut answer are told', async () => {
  await using home = await makeHome();
  await using model = await startModel([
    { fails: { status: 429, message: 'slow down' } },
    { text: 'now' },
    { fails: { status: 404, message: 'no such model' } },
    { text: 'half an ans', breaks: true },
  ]);
  expect((await ask(home, model, 'hi')).stdout).toBe('now\n');
  expect((await ask(home, model, 'hi')).stderr).toMatch(/does not know the model/);
  const cut = await ask(home, model, 'hi');
  expect([cut.code, cut.stderr]).toEqual([1, expect.stringMatching(/broke off[\s\S]*try: ask again/)]);
  const dead = await junctor(home, ['chat', '--base-url', 'http://127.0.0.1:9/v1', '--model', 'x', '-p', 'hi']);
  expect([dead.code, dead.stderr]).toEqual([1, expect.stringMatching(/cannot be reached[\s\S]*--base-url/)]);
});

test('three servers, one of which dies in the call: the run finishes, and the missing one is told once', async () => {
  await using home = await makeHome();
  await withServers(home, {
    good: trusted(testServer()),
    dying: trusted(misbehaving('dies-in-call')),
    gone: { transport: 'stdio', command: 'no-such-program-at-all' },
  });
  await using model = await startModel([
    {
      calls: [
        { name: 'mcp__dying__anything', args: {} },
        { name: 'mcp__good__echo', args: { text: 'alive' } },
      ],
    },
    { text: 'I know now.' },
  ]);
  const { stdout, stderr, code } = await ask(home, model, 'try all');
  expect([stdout, code]).toEqual(['I know now.\n', 0]);
  expect(stderr.match(/MCP server 'gone' unavailable/g)).toHaveLength(1);
  expect(stderr).toMatch(/✓ good echo/);
  expect(JSON.stringify(model.requests[0]?.body.messages)).toContain("MCP server 'gone' are not available");
});

test('a result that is cut shows its id, and what ran before a failure is kept', async () => {
  await using home = await makeHome();
  await withServers(home, { demo: trusted(testServer()) });
  await using model = await startModel([
    { calls: [{ name: 'mcp__demo__big', args: { bytes: 400_000 } }] },
    { fails: { status: 400, message: 'I do not want to' } },
    { text: 'as before' },
  ]);
  const failed = await ask(home, model, 'much');
  expect(failed.code).toBe(1);
  expect(failed.stderr).toMatch(/✓ demo big .*cut: the whole has the id res_[\s\S]*refused the request/);
  expect((await ask(home, model, 'go on', '--resume')).stdout).toBe('as before\n');
  expect(JSON.stringify(model.requests[2]?.body.messages)).toMatch(/mcp__demo__big[\s\S]*read_result[\s\S]*go on/);
});

test('events are lines of JSON; the conversation is saved for its owner alone and goes on with --resume', async () => {
  await using home = await makeHome();
  await using model = await startModel([{ text: 'Noted.' }, { text: 'It was blue.' }]);
  const first = await ask(home, model, 'my colour is blue', '--json');
  const events = first.stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  const reply = events.at(-1);
  expect(reply).toMatchObject({ type: 'reply', response: 'Noted.', ending: 'done', usage: { input: 10, output: 5 } });
  const [file = ''] = await readdir(join(home.data, 'chat'));
  expect(file).toBe(`${reply.session_id}.json`);
  expect((await stat(join(home.data, 'chat', file))).mode & 0o777).toBe(0o600);
  expect((await ask(home, model, 'which colour?', '--resume')).stdout).toBe('It was blue.\n');
  expect(JSON.stringify(model.requests[1]?.body.messages)).toMatch(/my colour is blue[\s\S]*Noted[\s\S]*which colour/);
  expect(lastMessage(model)).toContain('which colour?');
});
