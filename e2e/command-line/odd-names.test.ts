/** Names and words that are not ours: understood, written another way and said so, or refused with what to type. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { junctor, makeHome } from '@junctor/testkit';
import { expect, test } from 'vitest';

test('mcp add of an id that cannot be one is used wrongly, and names one that can', async () => {
  await using home = await makeHome();
  const outcomes = await Promise.all(
    [
      ['my server', '--command', 'x'],
      ['a', '--url', 'nowhere'],
    ].map(words => junctor(home, ['mcp', 'add', ...words])),
  );
  expect(outcomes.map(({ code, stderr }) => [code, ...stderr.split('\n')])).toEqual([
    [
      2,
      "error: 'my server' cannot be a server id. (usage)",
      '  try: 1 to 64 letters, digits, _ or -, such as my-server',
      '',
    ],
    [1, expect.stringMatching(/^error: [^(]*'a'/), expect.stringMatching(/^ {2}try: /), ''],
  ]);
});

test('mcp import says which servers it calls otherwise, and makes two of two whose names come down to one', async () => {
  await using home = await makeHome();
  const mcpServers = {
    'My Server': { command: 'one' },
    'My/Server': { command: 'two' },
    'My-Server': { command: 'three' },
    plain: { command: 'four' },
  };
  await home.write('.cursor/mcp.json', { mcpServers });
  const { code, stdout, stderr } = await junctor(home, ['mcp', 'import', 'cursor', '--json']);
  const from = join(home.path, '.cursor/mcp.json');
  expect([code, JSON.parse(stdout).imported]).toEqual([
    0,
    [
      { id: 'My-Server-2', from, name: 'My Server' },
      { id: 'My-Server-3', from, name: 'My/Server' },
      { id: 'My-Server', from },
      { id: 'plain', from },
    ],
  ]);
  expect(stderr).toContain("'My Server' is called 'My-Server-2' here: ids have letters, digits, _ and - only\n");
  const { servers } = JSON.parse(await readFile(home.userConfig, 'utf8'));
  expect(Object.entries(servers).map(([id, one]) => [id, (one as { command: string }).command])).toEqual([
    ['My-Server-2', 'one'],
    ['My-Server-3', 'two'],
    ['My-Server', 'three'],
    ['plain', 'four'],
  ]);
});

test('mcp add with a url and a program writes a server that is started there; without one, what is for a program is refused', async () => {
  await using home = await makeHome();
  const url = 'http://127.0.0.1:8888/mcp';
  const refused = await junctor(home, ['mcp', 'add', 'web', '--url', url, '--env', 'A=1']);
  expect([refused.code, refused.stderr.split('\n')[0]]).toEqual([
    2,
    'error: --env is for a program that Junctor starts, and none is named. (usage)',
  ]);
  const added = await junctor(home, ['mcp', 'add', 'web', '--url', url, '--env', 'A=1', '--', 'node', 'server.js']);
  expect(added.code).toBe(0);
  expect(JSON.parse(await readFile(join(home.project, 'junctor.json'), 'utf8')).servers.web).toEqual({
    transport: 'http',
    url,
    command: 'node',
    args: ['server.js'],
    env: { A: '1' },
  });
});

test('what other programs have people type is understood, or answered with the line to type', async () => {
  await using home = await makeHome();
  const rows: [words: string[], code: number, seen: string][] = [
    [['mcp', 'add', 'sentry', 'https://mcp.example.com/mcp'], 0, "added server 'sentry'"],
    [['mcp', 'add', '--transport', 'http', 'web', 'https://mcp.example.com/mcp'], 0, "added server 'web'"],
    [['mcp', 'add', 'socket', 'wss://mcp.example.com/ws', '--header', 'X-Team: a=b'], 0, "added server 'socket'"],
    [['mcp', 'add', 'fs', 'npx', '-y', 'x'], 2, 'two dashes: junctor mcp add ID -- PROGRAM ARGS…'],
    [['mcp', 'add', 'fs', '-e', 'A=1', '--', 'x'], 2, 'did you mean --env or --enabled?'],
    [['mcp', 'rm', 'fs'], 2, "did you mean 'mcp remove'?"],
    [['call', 'demo', 'echo'], 2, "did you mean 'mcp call'?"],
    [['start'], 2, "did you mean 'hub'?"],
    [['run', 'claude'], 2, 'did you mean claude-code?'],
    [['mcp', 'export', 'claude'], 2, 'did you mean claude-code?'],
    [['help', 'hub'], 0, '  hub token'],
    [['mcp', 'help', 'add'], 0, 'usage: junctor mcp add'],
    [['mcp', 'add', '-h'], 0, 'usage: junctor mcp add'],
    [['version'], 0, '0.1.0\n'],
  ];
  const ran = [];
  for (const [words] of rows.slice(0, 3)) ran.push(await junctor(home, words));
  ran.push(...(await Promise.all(rows.slice(3).map(([words]) => junctor(home, words)))));
  const seen = ran.map(({ code, stdout, stderr }) => [code, stdout + stderr]);
  expect(seen).toEqual(rows.map(([, code, text]) => [code, expect.stringContaining(text)]));
  const { servers } = JSON.parse(await readFile(join(home.project, 'junctor.json'), 'utf8'));
  expect(servers).toEqual({
    sentry: { transport: 'http', url: 'https://mcp.example.com/mcp' },
    web: { transport: 'http', url: 'https://mcp.example.com/mcp' },
    socket: { transport: 'ws', url: 'wss://mcp.example.com/ws', headers: { 'X-Team': 'a=b' } },
  });
});

test('the next line that is told works on the same files, also where their names have spaces', async () => {
  await using home = await makeHome();
  const data = join(home.path, 'my data');
  await home.write('project/my servers.json', { version: 1, servers: {} });
  const same = ['--data', data, '--config', 'my servers.json', '--isolated'];
  const added = await junctor(home, ['mcp', 'add', 'x', '--command', 'x', ...same]);
  expect(added.stderr).toBe(`next: junctor mcp tools x --data '${data}' --config 'my servers.json' --isolated\n`);
  await home.write('project/other.json', '{}');
  const exported = await junctor(home, ['mcp', 'export', 'cursor', '--via', 'hub', '--out', 'other.json', ...same]);
  expect(exported.stderr).toContain(
    `(back to it: junctor mcp export cursor --undo --out other.json --data '${data}' --config`,
  );
  expect(exported.stderr).toContain(`: junctor hub --data '${data}' --config 'my servers.json' --isolated\n`);
});
