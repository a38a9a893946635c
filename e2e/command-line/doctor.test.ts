import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createHost } from '@junctor/core';
import {
  everything,
  isRunning,
  JUNCTOR,
  junctor,
  makeHome,
  misbehaving,
  processesMarked,
  promise,
  startedServer,
  testServer,
} from '@junctor/testkit';
import { startAuthority } from '@junctor/testkit/authority';
import { describe, expect, test } from 'vitest';
import { missingTerminal, startAtTerminal } from '../sign-in/at-terminal.ts';
import { doctor, houseOf, outcomes, type Step, server, step } from './doctor-report.ts';

const node = process.execPath;

describe('a server that is well', () => {
  promise(['7.13a', '7.13e', '7.13h'], 'is found, spawned and listed, and gone afterwards', async () => {
    await using home = await houseOf({
      all: everything(),
      // Ignores every request to end, and so does a process that it starts.
      stubborn: misbehaving('stubborn'),
      pages: testServer('--page-size', '5'),
      url: startedServer(),
    });
    const mark = 'LC_DOCTOR_TEST=well';
    const report = await doctor(home, [], { LC_DOCTOR_TEST: 'well' });
    expect([report.code, report.ok, report.servers.map(({ id, ok, fix }) => [id, ok, fix])]).toEqual([
      0,
      true,
      [
        ['all', true, []],
        ['stubborn', true, []],
        ['pages', true, []],
        ['url', true, []],
      ],
    ]);
    const before = { config: 'ok', program: 'ok', spawned: 'ok', greeted: 'ok', eras: 'ok' };
    const local = { ...before, tools: 'ok', schemas: 'ok', ended: 'ok' };
    expect(outcomes(report, 'all')).toEqual(local);
    expect(outcomes(report, 'url')).toEqual({ ...local, auth: 'ok' });
    expect(step(report, 'all', 'config').detail).toBe(`user layer, ${home.userConfig}:4`);
    expect(step(report, 'all', 'program').detail).toBe(node);
    expect(step(report, 'all', 'spawned')).toMatchObject({
      lines: ['its last lines on stderr:', 'Starting default (STDIO) server...'],
    });
    expect(step(report, 'url', 'spawned').lines?.[0]).toBe('the last lines it printed:');

    await using host = await createHost({
      config: { version: 1, servers: { pages: testServer() } },
      remember: false,
    });
    const tools = await host.collect('pages');
    const shown = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    expect(step(report, 'pages', 'tools')).toMatchObject({
      tools: tools.length,
      pages: Math.ceil(tools.length / 5),
      tokens: Math.ceil(JSON.stringify(shown).length / 4),
      resources: 4,
      prompts: 3,
    });

    for (const { id } of report.servers) {
      const { pids, left } = step(report, id, 'ended') as Step & { pids: number[]; left: number[] };
      expect([pids.length >= (id === 'stubborn' ? 2 : 1), left, pids.filter(isRunning)]).toEqual([true, [], []]);
    }
    expect(processesMarked(mark)).toEqual([]);
    // It remembers nothing either.
    expect(existsSync(home.data)).toBe(false);
  });

  test('is looked at with its filters, and what it lists wrongly is told', async () => {
    await using home = await houseOf({
      few: { ...testServer(), tools: { allow: ['echo'] } },
      none: { ...testServer(), tools: { allow: ['no_such_tool'] } },
      bad: misbehaving('bad-catalogue'),
    });
    const report = await doctor(home);
    expect(step(report, 'few', 'tools')).toMatchObject({ outcome: 'ok', tools: 1, hidden: 19 });
    expect([step(report, 'none', 'tools').outcome, server(report, 'none').fix]).toEqual([
      'warn',
      ['its tools are all left out by the config: junctor explain none'],
    ]);
    expect(step(report, 'bad', 'tools')).toMatchObject({
      outcome: 'warn',
      tools: 2,
      pages: 2,
      lines: [
        '(unnamed) cannot be used: it is not an object',
        '(unnamed) cannot be used: it has no name',
        'good cannot be used: another tool of this server has the same name',
      ],
    });
    expect(report.code).toBe(0);
  });
});

describe('junctor doctor', () => {
  promise(['8.12a', '7.13g'], 'looks at all servers or at one, and ends with the fix, the worst first', async () => {
    await using home = await makeHome();
    await using authority = await startAuthority();
    await home.write('config/junctor/config.json', {
      version: 1,
      servers: {
        fine: testServer(),
        guarded: { transport: 'http', url: authority.mcpUrl },
        slip: { transport: 'stdio', command: 'no-such-program-anywhere' },
      },
    });
    const all = await junctor(home, ['doctor']);
    expect(all.code).toBe(1);
    const blocks = all.stdout.trimEnd().split('\n\n');
    expect(blocks.map(block => block.split('\n')[0])).toEqual([
      expect.stringMatching(/^(ok|warn) +fine: \d+ tools/),
      'guarded',
      'slip',
      expect.stringMatching(/^orphans/),
      'to mend it',
    ]);
    expect(blocks.at(-1)?.split('\n').slice(0, 3)).toEqual([
      'to mend it',
      '  slip: install it, or give its full path as command',
      '  guarded: junctor mcp login guarded',
    ]);
    expect((await junctor(home, ['doctor', '--verbose'])).stdout).toMatch(/^fine\n {2}ok {4}config {3}user layer/);
    const one = await junctor(home, ['doctor', 'fine']);
    expect([one.code, one.stderr]).toEqual([0, '']);
    expect(one.stdout).toMatch(/^fine\n {2}ok {4}config {3}user layer/);
    expect(one.stdout).not.toContain('slip');
    expect(one.stdout).toMatch(/nothing to mend\n$/);
    const other = await junctor(home, ['doctor', 'guarded']);
    expect([other.code, other.stdout.trimEnd().split('\n').slice(-2)]).toEqual([
      3,
      ['to mend it', '  guarded: junctor mcp login guarded'],
    ]);
  });

  promise('8.12c', 'a healthy server takes one line, and each is shown as it is done', async context => {
    const missing = missingTerminal();
    if (missing) return context.skip(missing);
    await using home = await makeHome();
    const needy = await home.write('needy.mjs', 'console.error("DATABASE_URL is not set"); process.exit(1);');
    const servers = { fine: testServer(), needy: { transport: 'stdio', command: process.execPath, args: [needy] } };
    await home.write('config/junctor/config.json', { servers });
    const command = startAtTerminal(home, ['doctor']);
    await command.shows(/looking at all servers …/);
    expect(await command.ended).toMatchObject({ code: 1 });
    const seen = command.seen();
    // Once while it goes on, and once in the report.
    expect(seen.match(/fine: \d+ tools/g)).toHaveLength(2);
    expect(seen).not.toMatch(/^fine\r?$/m);
    expect(seen).toContain("set DATABASE_URL in env of server 'needy'");
  });

  test('says what it cannot do, and what it does not know', async () => {
    await using home = await houseOf({});
    const nothing = await junctor(home, ['doctor']);
    expect([nothing.code, nothing.stdout.split('\n')[0]]).toEqual([0, 'no MCP servers configured']);
    const unknown = await junctor(home, ['doctor', 'nobody']);
    const told = [
      "error: There is no server 'nobody'. (server_unknown)",
      '  why: no MCP servers configured',
      '  try: add one: junctor mcp add; or copy those of your agents: junctor mcp import',
    ];
    expect([unknown.code, unknown.stderr.trim().split('\n')]).toEqual([1, told]);
    expect((await junctor(home, ['mcp', 'get', 'nobody'])).stderr.trim().split('\n')).toEqual(told);
    expect((await junctor(home, ['doctor', '--timeout', 'soon'])).code).toBe(2);
    const nobody = await junctor(home, ['doctor', '--client', 'emacs']);
    expect([nobody.code, nobody.stderr]).toEqual([2, expect.stringContaining('claude-code')]);
    expect((await junctor(home, ['doctor', '--help'])).stdout).toContain('--model M');
    expect((await junctor(home, ['completion', 'bash'])).stdout).toContain("'doctor') options='--timeout");
  });

  test('waits no longer than it is told, and says how to wait longer', async () => {
    await using home = await houseOf({ slow: testServer('--delay', '4000') });
    const short = await doctor(home, ['slow', '--timeout', '500']);
    expect([short.code, server(short, 'slow').fix]).toEqual([
      1,
      ['if it is only slow to start: junctor doctor slow --timeout 60000'],
    ]);
  });

  test('ends everything at Ctrl-C', async () => {
    await using home = await houseOf({ never: misbehaving('never-answers'), never2: misbehaving('never-answers') });
    const mark = 'LC_DOCTOR_TEST=interrupted';
    const child = spawn(node, [JUNCTOR, 'doctor'], {
      cwd: home.project,
      env: { ...home.env, LC_DOCTOR_TEST: 'interrupted' },
      stdio: 'ignore',
    });
    const started = (): number => processesMarked(mark).filter(({ command }) => command.includes('never')).length;
    await expect.poll(started, { timeout: 30_000 }).toBe(2);
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    expect([code, processesMarked(mark)]).toEqual([130, []]);
  });

  test('shows no secret', async () => {
    const secret = 'a-secret-that-nobody-sees-4711';
    await using home = await houseOf({
      tells: {
        transport: 'stdio',
        command: 'sh',
        args: ['-c', 'echo "the key is $API_KEY" >&2; exit 1'],
        env: { API_KEY: '${OUR_KEY}' },
      },
    });
    const report = await doctor(home, [], { OUR_KEY: secret });
    expect(step(report, 'tells', 'greeted').lines).toEqual(['its last lines on stderr:', 'the key is •••']);
    const { stdout } = await junctor(home, ['doctor', '--debug'], { env: { OUR_KEY: secret } });
    expect(`${JSON.stringify(report)}${stdout}`).not.toContain(secret);
  });
});
