import { createHost } from '@junctor/core';
import { type Home, makeHome, promise, startHub, testServer, trusted } from '@junctor/testkit';
import { startModel } from '@junctor/testkit/model';
import { CTRL_C, CTRL_D, openTerminal, type TestTerminal } from '@junctor/testkit/terminal';
import { expect, test } from 'vitest';

const withServers = (home: Home, servers: object): Promise<string> =>
  home.write('config/junctor/config.json', { version: 1, servers });

function chat(home: Home, url: string, ...more: string[]): TestTerminal {
  return openTerminal(home, ['chat', '--base-url', url, '--model', 'scripted', ...more]);
}

promise(['4.2a', '4.2g', '4.2h'], 'the REPL streams an answer, Ctrl-C ends it, and the prompt is back', async () => {
  await using home = await makeHome();
  await using model = await startModel([{ text: 'one two three four', hangs: true }, { text: 'all of it' }]);
  await using terminal = chat(home, model.url);
  await terminal.shows(/junctor chat, scripted\. no MCP servers configured/);
  // The answer never ends, and its beginning is there.
  await terminal.enter('count', /one two three/);
  terminal.type(CTRL_C);
  await terminal.shows(/\(interrupted\)/);
  expect(await model.requests[0]?.over).toBe('left');
  await terminal.enter('again', /all of it\n›/);
  terminal.type(CTRL_D);
  expect(await terminal.ended).toBe(0);
});

promise('4.2i', 'Ctrl-C cancels the calls of the run at their servers before the prompt returns', async () => {
  await using home = await makeHome();
  await withServers(home, { demo: trusted(testServer()) });
  await using model = await startModel([
    { calls: [{ name: 'mcp__demo__slow', args: { ms: 600_000 } }] },
    { calls: [{ name: 'mcp__demo__state', args: {} }] },
    { text: 'seen' },
  ]);
  await using terminal = chat(home, model.url);
  await terminal.shows(/\n›$/);
  // A call that its server never saw could not be cancelled there.
  await terminal.enter('/mcp connect demo', /connected 'demo'/);
  await terminal.enter('be slow', /⋯ demo slow/);
  terminal.type(CTRL_C);
  await terminal.shows(/\(interrupted\)/);
  await terminal.enter('what was cancelled?', /seen\n›/);
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toMatch(/running[^0-9]+0[\s\S]*cancelled[^0-9]+1/);
});

test('permission is asked between the lines: once, for the session, always, and no with a word to the model', async () => {
  await using home = await makeHome();
  await withServers(home, { demo: testServer() });
  const echo = (text: string) => ({ calls: [{ name: 'mcp__demo__echo', args: { text } }] });
  await using model = await startModel([
    ...[echo('a'), { text: 'first' }, echo('b'), { text: 'second' }, echo('c'), { text: 'third' }],
    ...[{ calls: [{ name: 'shell', args: { command: 'echo hidden' } }] }, { text: 'fourth' }],
  ]);
  await using terminal = chat(home, model.url);
  await terminal.shows(/\n›$/);
  const asked = await terminal.enter('one', /allow it\? \(o\)nce/);
  expect(asked).toMatch(/Call 'echo' on server 'demo'\?[\s\S]*text: "a"/);
  terminal.type('o\r');
  await terminal.shows(/✓ demo echo[\s\S]*first\n›$/);
  await terminal.enter('two', /allow it\?/);
  terminal.type('s\r');
  await terminal.shows(/second\n›$/);
  // Not asked again.
  expect(await terminal.enter('three', /third\n›$/)).not.toMatch(/allow it/);
  await terminal.enter('four', /Call 'shell'\?[\s\S]*allow it\?/);
  terminal.type('use the tool read instead\r');
  await terminal.shows(/⊘ denied shell[\s\S]*fourth\n›$/);
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain(
    'was denied by a person: use the tool read instead',
  );
  expect(await terminal.enter('/permissions', /demo\/echo.*\n/)).toMatch(/allow +demo\/echo +session/);
});

test('twice Ctrl-C leaves; a plain one throws away what was typed', async () => {
  await using home = await makeHome();
  await using model = await startModel();
  await using terminal = chat(home, model.url);
  await terminal.shows(/\n›$/);
  terminal.type('never mind');
  await terminal.shows(/› never mind$/);
  terminal.type(CTRL_C);
  await terminal.shows(/leaves\)\n›$/);
  terminal.type(CTRL_C);
  expect(await terminal.ended).toBe(130);
  expect(model.requests).toEqual([]);
});

promise('3.7f', 'a prompt of a server is a slash command, and Tab completes it', async () => {
  await using home = await makeHome();
  await withServers(home, { demo: trusted(testServer()) });
  await using model = await startModel([{ text: 'good day' }, { text: 'read' }]);
  await using terminal = chat(home, model.url);
  await terminal.shows(/\n›$/);
  await terminal.enter('/mcp connect demo', /connected 'demo'/);
  terminal.type('/demo:gr\t');
  await terminal.shows(/› \/demo:greet$/);
  terminal.type('name=Ada\r');
  await terminal.shows(/good day\n›$/);
  expect(JSON.stringify(model.requests[0]?.body.messages)).toMatch(/Ada/);
  terminal.type('look at @demo:demo://gr\t');
  await terminal.shows(/› look at @demo:demo:\/\/greeting$/);
  terminal.type('\r');
  await terminal.shows(/read\n›$/);
  expect(JSON.stringify(model.requests[1]?.body.messages)).toMatch(/resource demo:\/\/greeting of MCP server 'demo'/);
});

test('a question of a server is answered at the terminal, in the middle of a run', async () => {
  await using home = await makeHome();
  await withServers(home, { demo: trusted(testServer()) });
  await using model = await startModel([
    { calls: [{ name: 'mcp__demo__ask_person', args: {} }] },
    { text: 'I know you now' },
  ]);
  await using terminal = chat(home, model.url);
  await terminal.shows(/\n›$/);
  await terminal.enter('ask me', /Server 'demo' asks[\s\S]*Answer it\? \[y\/N\]/);
  terminal.type('n\r');
  await terminal.shows(/I know you now\n›$/);
  await terminal.enter('/tools', /chat: edit/);
});

test('Ctrl-C at the question of a server stops the run, and the prompt is back', async () => {
  await using home = await makeHome();
  await withServers(home, { demo: trusted(testServer()) });
  await using model = await startModel([{ calls: [{ name: 'mcp__demo__ask_person', args: {} }] }, { text: 'later' }]);
  await using terminal = chat(home, model.url);
  await terminal.shows(/\n›$/);
  await terminal.enter('ask me', /Answer it\? \[y\/N\]/);
  terminal.type(CTRL_C);
  await terminal.shows(/\(interrupted\)[\s\S]*›$/);
  await terminal.enter('go on', /later\n›$/);
});

test('text of several lines: pasted, and with a backslash; history is kept for the next start', async () => {
  await using home = await makeHome();
  await using model = await startModel([{ text: 'three lines' }, { text: 'again' }]);
  {
    await using terminal = chat(home, model.url);
    await terminal.shows(/\n›$/);
    terminal.type('\x1b[200~first\rsecond\x1b[201~');
    terminal.type('\\\rthird\r');
    await terminal.shows(/three lines\n›$/);
    expect(JSON.stringify(model.requests[0]?.body.messages)).toContain('first\\nsecond\\nthird');
    terminal.type(CTRL_D);
    await terminal.ended;
  }
  await using terminal = chat(home, model.url, '--resume');
  await terminal.shows(/going on with: first[\s\S]*\n›$/);
  terminal.type('\x1b[A');
  await terminal.shows(/› first\n {2}second\n {2}third$/);
  terminal.type('\r');
  await terminal.shows(/again\n›$/);
  expect(model.requests[1]?.body.messages).toHaveLength(4);
});

promise('12.6i', 'the end of a long argument can be read before a call is allowed', async () => {
  await using home = await makeHome();
  const middle = 'the middle of it';
  const command = `true ${'a'.repeat(300)}${middle}${'b'.repeat(300)}; echo the very end`;
  await using model = await startModel([{ calls: [{ name: 'shell', args: { command } }] }, { text: 'so' }]);
  await using terminal = chat(home, model.url);
  await terminal.shows(/\n›$/);
  const asked = (await terminal.enter('go', /\(f\)ull arguments/)).replaceAll(/\s/g, '');
  expect(asked).toMatch(/charactersleftout\)….*theveryend/);
  expect(asked).not.toContain(middle.replaceAll(' ', ''));
  terminal.type('f\r');
  await terminal.shows(/the\s*middle\s*of\s*it[\s\S]*allow it\?/);
  terminal.type('n\r');
  await terminal.shows(/so\n›$/);
});

test('a cloned project is asked about before its servers start', async () => {
  await using home = await makeHome();
  await home.write('project/junctor.json', { version: 1, servers: { theirs: testServer() } });
  await using model = await startModel();
  {
    await using terminal = chat(home, model.url);
    await terminal.shows(/brings along what you have not approved yet:[\s\S]*server theirs[\s\S]*trust it\?.*\[y\/N\]/);
    terminal.type('n\r');
    await terminal.shows(/not approved[\s\S]*\n›$/);
    expect(await terminal.enter('/mcp', /untrusted/)).toMatch(/theirs +stdio +project +true +untrusted +0/);
    terminal.type(CTRL_D);
    await terminal.ended;
  }
  await using terminal = chat(home, model.url);
  await terminal.shows(/trust it\?/);
  terminal.type('y\r');
  await terminal.shows(/MCP servers: theirs/);
});

promise(
  ['2.5b', '2.5c'],
  'the hub connects eagerly, the library lazily, and either can be chosen otherwise',
  async () => {
    const servers = { demo: { ...testServer(), mode: 'shared' as const } };
    const seen = async (connect: 'eager' | 'lazy' | undefined): Promise<string | undefined> => {
      await using home = await makeHome();
      await using hub = await startHub(home, { version: 1, ...(connect ? { startup: { connect } } : {}), servers });
      const state = async () =>
        ((await (await hub.fetch('/api/status')).json()) as { servers: { state: string }[] }).servers[0]?.state;
      if (connect !== 'lazy') await expect.poll(state, { timeout: 15_000, interval: 200 }).toBe('ready');
      return await state();
    };
    expect([await seen(undefined), await seen('lazy')]).toEqual(['ready', 'idle']);
    await using lazy = await createHost({ config: { version: 1, servers } });
    expect(lazy.status()[0]?.state).toBe('idle');
    await using eager = await createHost({ config: { version: 1, servers }, connect: 'eager' });
    await expect.poll(() => eager.status()[0]?.state, { timeout: 15_000 }).toBe('ready');
  },
);

promise(['2.5b', '2.5c'], 'the REPL connects eagerly, and lazily where the config says so', async () => {
  await using home = await makeHome();
  await withServers(home, { demo: testServer() });
  await using model = await startModel();
  {
    await using terminal = chat(home, model.url);
    await terminal.shows(/\n›$/);
    await expect.poll(() => terminal.enter('/mcp', /demo .*\n/), { timeout: 15_000, interval: 300 }).toMatch(/ready/);
  }
  await home.write('config/junctor/config.json', {
    version: 1,
    startup: { connect: 'lazy' },
    servers: { demo: testServer() },
  });
  await using terminal = chat(home, model.url);
  await terminal.shows(/\n›$/);
  expect(await terminal.enter('/mcp', /demo .*\n/)).toMatch(/idle/);
});
