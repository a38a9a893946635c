import { join } from 'node:path';
import { createHost } from '@junctor/core';
import { type Home, makeHome, misbehaving, promise, startHub, testServer, trusted } from '@junctor/testkit';
import { makeBrowserProgram, startAuthority } from '@junctor/testkit/authority';
import { startModel } from '@junctor/testkit/model';
import { openTerminal, type TestTerminal } from '@junctor/testkit/terminal';
import { expect, test } from 'vitest';

const withServers = (home: Home, servers: object): Promise<string> =>
  home.write('config/junctor/config.json', { version: 1, servers });

/** A chat whose servers are all there, or have failed. */
async function chat(home: Home, url = 'http://127.0.0.1:9/v1'): Promise<TestTerminal> {
  const terminal = openTerminal(home, ['chat', '--base-url', url, '--model', 'scripted']);
  await terminal.shows(/\n›$/);
  return terminal;
}

const BROKEN = { transport: 'stdio', command: 'no-such-program-at-all' };

/** Asks again until every server has settled. */
async function settled(terminal: TestTerminal, command: string, awaited: RegExp): Promise<string> {
  let answer = '';
  const again = async (): Promise<string> => {
    answer = await terminal.enter(command, /\S[\s\S]*\n›$/);
    return answer;
  };
  await expect.poll(again, { timeout: 40_000, interval: 300 }).toMatch(awaited);
  return answer;
}

promise(
  ['4.3a', '4.3b', '4.3o'],
  '/mcp lists every server in six columns, /mcp ID shows one, none is said plainly',
  async () => {
    await using home = await makeHome();
    {
      await using terminal = await chat(home);
      expect(await terminal.enter('/mcp', /configured\n›$/)).toContain('no MCP servers configured');
    }
    await withServers(home, { demo: testServer(), gone: BROKEN, off: { ...testServer(), enabled: false } });
    await home.write('project/junctor.json', { version: 1, servers: { here: testServer() } });
    await using terminal = openTerminal(home, ['chat', '--base-url', 'http://127.0.0.1:9/v1', '--model', 'x']);
    await terminal.shows(/\[y\/N\]/);
    terminal.type('y\r');
    await terminal.shows(/\n›$/);
    const table = await settled(terminal, '/mcp', /demo.*ready +[1-9][\s\S]*gone.*error/);
    expect(table).toMatch(/id +transport +source +enabled +state +tools\n/);
    expect(table).toMatch(/demo +stdio +global +true +ready +[1-9]\d*\n/);
    expect(table).toMatch(/gone +stdio +global +true +error +0\n/);
    expect(table).toMatch(/off +stdio +global +false +disabled +0\n/);
    expect(table).toMatch(/here +stdio +project +true +(ready|connecting)/);
    const failed = await terminal.enter('/mcp gone', /last_error[\s\S]*\n›$/);
    expect(failed).toMatch(/last_connected_at +never\nlast_error +.*no-such-program-at-all.*\(command_not_found\)/);
    expect(await terminal.enter('/mcp demo', /protocol_version.*\n/)).toMatch(/last_connected_at +\d{4}-\d\d-\d\dT/);
  },
);

promise(['4.3c', '4.3d', '4.3e', '4.3f'], '/mcp status draws the table and ends with the two hints', async () => {
  await using home = await makeHome();
  await withServers(home, { demo: testServer(), gone: BROKEN });
  await using terminal = await chat(home);
  const shown = await settled(terminal, '/mcp status', /Connected +│ [1-9][\s\S]*Failed/);
  expect(shown).toMatch(/MCP Servers Status:\n┌─+┬─+┬─+┬─+┐\n│ Server +│ Status +│ Tools +│ Updated +│\n├/);
  expect(shown).toMatch(/│ demo +│ Connected +│ [1-9]\d* +│ \d+s ago +│/);
  expect(shown).toMatch(/│ gone +│ Failed +│ - +│ Error +│/);
  expect(shown).toMatch(/\nUse '\/mcp list-tools' to see all tools\nUse '\/mcp debug <server>' for more details\n›$/);
});

promise(['4.3g', '4.3h', '4.3j', 'A10h'], '/mcp list-tools, connect, disconnect and debug', async () => {
  await using home = await makeHome();
  await withServers(home, { demo: { ...testServer(), env: { API_KEY: 'planted-secret-1' } } });
  await using terminal = await chat(home);
  expect(await terminal.enter('/mcp connect demo', /tools\n›$/)).toMatch(/connected 'demo': \d+ tools/);
  const listed = await terminal.enter('/mcp list-tools', /slow[\s\S]*\n›$/);
  expect(listed).toMatch(/server +tool +description\n[\s\S]*demo +echo +\S/);
  await terminal.enter('/mcp disconnect demo', /disconnected 'demo'/);
  expect(await terminal.enter('/mcp list-tools', /now\n›$/)).toContain('no server offers a tool now');
  expect(await terminal.enter('/mcp status', /Use/)).toMatch(/demo +│ Disconnected/);
  await terminal.enter('/mcp connect demo', /connected 'demo'/);
  const debug = await terminal.enter('/mcp debug demo', /capabilities/);
  expect(debug).toMatch(/definition\s+{"transport":"stdio"[\s\S]*server +\S+ \d/);
  expect(terminal.bytes()).not.toContain('planted-secret-1');
});

promise(
  ['4.3i', '4.3l'],
  '/mcp reconnect brings a failed server back, /mcp reload reads the config again',
  async () => {
    await using home = await makeHome();
    const late = join(home.path, 'late.mjs');
    const definition = { transport: 'stdio', command: process.execPath, args: [late] };
    await withServers(home, { late: definition });
    await using terminal = await chat(home);
    await terminal.shows(/MCP server 'late' unavailable/);
    const { command, args } = testServer();
    await home.write(
      'late.mjs',
      `import { spawn } from 'node:child_process';
     const child = spawn(${JSON.stringify(command)}, ${JSON.stringify(args)}, { stdio: 'inherit' });
     child.on('exit', code => process.exit(code));`,
    );
    await terminal.enter('/mcp reconnect late', /connected 'late': [1-9]\d* tools/);
    await settled(terminal, '/mcp', /late.*ready +[1-9]/);
    await withServers(home, { late: definition, fresh: testServer() });
    // Chat follows its files by itself: the change may have been read already.
    await terminal.enter('/mcp reload', /reloaded.*\n/);
    await terminal.shows(/(reloaded|the config changed): added fresh/);
    await settled(terminal, '/mcp', /fresh.*ready/);
    expect(await terminal.enter('/mcp disable fresh', /reloaded.*\n/)).toMatch(/removed fresh/);
    expect(await terminal.enter('/mcp enable fresh', /reloaded.*\n/)).toMatch(/added fresh/);
  },
);

promise('4.3n', '/mcp answers while a run is under way', async () => {
  await using home = await makeHome();
  await withServers(home, { demo: trusted(testServer()) });
  await using model = await startModel([{ text: 'I think about', hangs: true }]);
  await using terminal = await chat(home, model.url);
  await terminal.enter('think', /I think/);
  expect(await terminal.enter('/mcp', /demo.*\n/)).toMatch(/demo +stdio +global +true/);
  await terminal.shows(/working, Ctrl-C stops it\n›$/);
});

promise('4.3m', 'host.status() and GET /api/status are the same document, and /mcp shows it', async () => {
  await using home = await makeHome();
  const servers = { demo: { ...testServer(), mode: 'shared' }, gone: BROKEN, off: { ...testServer(), enabled: false } };
  await using hub = await startHub(home, { version: 1, servers });
  const document = async () => ((await (await hub.fetch('/api/status')).json()) as { servers: object[] }).servers;
  await expect
    .poll(document, { timeout: 20_000 })
    .toMatchObject([{ state: 'ready', tools: 20 }, { state: 'error' }, {}]);
  const path = await home.write('same.json', { version: 1, servers });
  await using host = await createHost({ path, isolated: true, era: 'legacy', connect: 'eager', attempts: 1 });
  await host.start();
  await expect.poll(() => host.status()[1]?.state).toBe('error');
  const steady = (rows: readonly object[]) =>
    rows.map(row => ({ ...row, last_connected_at: undefined, latency_ms: undefined }));
  const own = host.status();
  expect(steady(await document())).toEqual(steady(own));
  await using terminal = openTerminal(home, [
    'chat',
    '--config',
    path,
    '--isolated',
    '--base-url',
    'http://127.0.0.1:9/v1',
    '--model',
    'x',
  ]);
  await terminal.shows(/\n›$/);
  const shown = await settled(terminal, '/mcp', /ready +[1-9][\s\S]*error/);
  for (const { id, transport, source, enabled, state, tools } of own) {
    expect(shown).toMatch(new RegExp(`${id} +${transport} +${source} +${enabled} +${state} +${tools}\n`));
  }
});

promise('4.3k', '/mcp auth signs in to a server, and its tools are there', async () => {
  await using home = await makeHome();
  await using authority = await startAuthority({});
  const browser = await makeBrowserProgram(home);
  await withServers(home, { guarded: { transport: 'http', url: authority.mcpUrl } });
  await using terminal = openTerminal(home, ['chat', '--base-url', 'http://127.0.0.1:9/v1', '--model', 'x'], {
    env: { ...browser.env, DISPLAY: ':0' },
  });
  await terminal.shows(/MCP server 'guarded' unavailable[\s\S]*sign in to 'guarded' now\? \[y\/N\]/);
  // A command in place of an answer is a command.
  expect(await terminal.enter('/mcp', /guarded.*\n/)).toMatch(/auth_required/);
  terminal.type('/mcp auth guarded\r');
  await terminal.shows(/asks you to sign in at .*Open the browser\? \[y\/N\]/);
  terminal.type('y\r');
  await terminal.shows(/signed in to 'guarded'[\s\S]*connected 'guarded': \d+ tools?\n›$/);
  expect(await terminal.enter('/mcp', /guarded.*\n/)).toMatch(/guarded +http +global +true +ready/);
});

promise('4.3z', 'chat offers to sign in to a server that needs it: a yes leads to the browser question', async () => {
  await using home = await makeHome();
  await using authority = await startAuthority({});
  const browser = await makeBrowserProgram(home);
  await withServers(home, { guarded: { transport: 'http', url: authority.mcpUrl } });
  await using terminal = openTerminal(home, ['chat', '--base-url', 'http://127.0.0.1:9/v1', '--model', 'x'], {
    env: { ...browser.env, DISPLAY: ':0' },
  });
  await terminal.shows(/sign in to 'guarded' now\? \[y\/N\]/);
  terminal.type('y\r');
  await terminal.shows(/asks you to sign in at .*Open the browser\? \[y\/N\]/);
  terminal.type('y\r');
  await terminal.shows(/signed in to 'guarded'[\s\S]*connected 'guarded': \d+ tools?\n›$/);
});

test('a wrong command is told with the one that was meant; /help lists all', async () => {
  await using home = await makeHome();
  await withServers(home, { dying: trusted(misbehaving('dies-early')) });
  await using terminal = await chat(home);
  // What is said about it could come between a command and its answer.
  await terminal.shows(/MCP server 'dying' unavailable[\s\S]*›$/);
  expect(await terminal.enter('/permisions', /try:.*\n/)).toMatch(
    /no command '\/permisions'[\s\S]*did you mean '\/permissions'/,
  );
  expect(await terminal.enter('/mcp connect nobody', /try:.*\n/)).toMatch(/There is no server 'nobody'/);
  expect(await terminal.enter('/mcp debug', /try:.*\n/)).toMatch(/needs the id of a server/);
  expect(await terminal.enter('/help', /Ctrl-D: leave\n›$/)).toMatch(
    /\/mcp list-tools[\s\S]*\/permissions[\s\S]*\/stats/,
  );
  expect(await terminal.enter('/tools', /chat:.*\n/)).toMatch(/chat: edit, list, read, search, shell, write/);
  expect(await terminal.enter('/stats', /written.*\n[\s\S]*›$/)).toMatch(/0 tokens read, 0 written/);
});
