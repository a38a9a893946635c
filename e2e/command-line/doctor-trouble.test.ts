import { existsSync } from 'node:fs';
import { appendFile, chmod } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { junctor, makeHome, misbehaving, promise, serveMisbehaving, testServer } from '@junctor/testkit';
import { oldServer } from '@junctor/testkit/peers';
import { describe, expect, test } from 'vitest';
import { doctor, houseOf, outcomes, server, step } from './doctor-report.ts';

const node = process.execPath;

describe('a server that cannot be used', () => {
  promise('7.13a', 'is told apart: not found, not started, and dead with its last lines on stderr', async () => {
    await using home = await makeHome();
    const script = await home.write('serve', '#!/no/such/interpreter\n');
    const env = { PATH: dirname(node) };
    await home.write('config/junctor/config.json', {
      version: 1,
      servers: {
        slip: { transport: 'stdio', command: 'nodee', env },
        script: { transport: 'stdio', command: script },
        dead: misbehaving('dies-early'),
        // A shell has said its line at once, also where the machine is busy.
        silent: {
          transport: 'stdio',
          command: 'sh',
          args: ['-c', 'echo waiting for a licence server >&2; exec cat >/dev/null'],
          connect_timeout_ms: 1500,
        },
      },
    });
    await chmod(script, 0o755);
    const report = await doctor(home);
    expect(report.code).toBe(1);
    expect(outcomes(report, 'slip')).toEqual({ config: 'ok', program: 'no' });
    expect(server(report, 'slip').fix[0]).toMatch(/^did you mean 'node'\?/);
    expect(outcomes(report, 'script')).toMatchObject({ program: 'ok', spawned: 'no', ended: 'ok' });

    const started = { config: 'ok', program: 'ok', spawned: 'ok', greeted: 'no', ended: 'ok' };
    expect(outcomes(report, 'dead')).toEqual(started);
    expect(step(report, 'dead', 'greeted')).toMatchObject({
      detail: "Server 'dead' exited with code 3 while it was starting.",
      lines: ['its last lines on stderr:', 'loading plugins', 'fatal: DATABASE_URL is not set'],
    });
    expect(server(report, 'dead').fix).toEqual(["set DATABASE_URL in env of server 'dead'"]);
    expect(outcomes(report, 'silent')).toEqual({ ...started, eras: 'no' });
    expect(step(report, 'silent', 'greeted').lines).toEqual([
      'its last lines on stderr:',
      'waiting for a licence server',
    ]);
  });

  promise(
    '9.2d',
    'misses a variable, a secret, a program or a directory, which validate does not look for',
    async () => {
      await using home = await makeHome();
      const config = {
        version: 1,
        servers: {
          variable: { transport: 'http', url: 'http://127.0.0.1:1/mcp', headers: { 'X-Key': '${NO_SUCH_VARIABLE}' } },
          secret: { ...testServer(), env: { KEY: '${secret:no_such_secret}' } },
          program: { transport: 'stdio', command: 'no-such-program-anywhere' },
          directory: { ...testServer(), cwd: join(home.path, 'no', 'such', 'folder') },
        },
      };
      const file = await home.write('config/junctor/config.json', config);
      expect((await junctor(home, ['validate', file])).code).toBe(0);
      const report = await doctor(home);
      expect(report.code).toBe(1);
      expect(report.servers.map(({ id, steps, fix }) => [id, steps.at(-1)?.step, steps.at(-1)?.detail, fix])).toEqual([
        [
          'variable',
          'config',
          "Server 'variable' cannot be used: the variable NO_SUCH_VARIABLE (in headers.X-Key) is not set.",
          ['set the variable NO_SUCH_VARIABLE, which headers.X-Key names'],
        ],
        [
          'secret',
          'config',
          "Server 'secret' cannot be used: the secret no_such_secret (in env.KEY) is not set.",
          ['junctor secret set no_such_secret'],
        ],
        [
          'program',
          'program',
          "The program 'no-such-program-anywhere' of server 'program' was not found.",
          ['install it, or give its full path as command'],
        ],
        [
          'directory',
          'program',
          "The folder that server 'directory' starts in does not exist.",
          ['create it, or correct cwd of this server'],
        ],
      ]);
    },
  );

  test('is behind an address where nobody is', async () => {
    await using web = await serveMisbehaving((request, response) => {
      request.resume();
      response.writeHead(404).end();
    });
    const closed = await serveMisbehaving(() => {});
    await closed[Symbol.asyncDispose]();
    await using home = await houseOf({
      refused: { transport: 'http', url: closed.url },
      unknown: { transport: 'ws', url: 'ws://no-such-host.invalid/' },
      other: { transport: 'http', url: `${web.origin}/nothing-here` },
    });
    const report = await doctor(home);
    expect(report.code).toBe(1);
    expect(report.servers.map(({ steps }) => [steps.at(-1)?.step, steps.at(-1)?.detail])).toEqual([
      ['address', `Nobody accepts a connection at ${new URL(closed.origin).host}.`],
      ['address', "The host 'no-such-host.invalid' of server 'unknown' is not known."],
      ['greeted', "Server 'other' refused the request."],
    ]);
    expect(server(report, 'other').fix).toEqual(['check the path of its url']);
  });

  test('came with a project: nothing is started before somebody approved it', async () => {
    await using home = await makeHome();
    const diary = join(home.path, 'diary');
    await home.write('project/junctor.json', {
      version: 1,
      servers: { project: oldServer('answers', diary) },
      permissions: { allow: ['mcp__project__*'] },
    });
    const report = await doctor(home, ['project']);
    expect([report.code, outcomes(report, 'project'), existsSync(diary)]).toEqual([3, { config: 'no' }, false]);
    expect(server(report, 'project').fix[0]).toContain('junctor trust add project');
    await junctor(home, ['trust', 'add', 'project']);
    expect((await doctor(home, ['project'])).code).toBe(0);
    const rules = await doctor(home);
    expect([rules.code, rules.fix]).toEqual([
      3,
      [{ fix: 'look at it with: junctor trust list, then: junctor trust add --rules' }],
    ]);
  });

  test('is switched off, or written wrongly, and hides no other', async () => {
    await using home = await houseOf({
      off: { ...testServer(), enabled: false },
      wrong: { transport: 'stdio' },
      fine: testServer(),
    });
    const report = await doctor(home);
    expect([report.code, report.servers.map(({ id, ok }) => [id, ok])]).toEqual([
      1,
      [
        ['off', true],
        ['fine', true],
        ['wrong', false],
      ],
    ]);
    expect(report.fix).toEqual([
      { server: 'wrong', fix: expect.stringMatching(/^mend .*config\.json:\d+: Add the program to start/) },
    ]);
    const off = await doctor(home, ['off']);
    expect([off.code, off.fix[0]?.fix]).toEqual([1, expect.stringContaining('junctor mcp enable off')]);
    await appendFile(home.userConfig, '{');
    const broken = await doctor(home);
    expect([broken.code, broken.servers, broken.problems.length > 0]).toEqual([1, [], true]);
  });
});
