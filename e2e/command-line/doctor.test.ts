import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, chmod, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createHost } from '@junctor/core';
import {
  everything,
  type Home,
  isRunning,
  JUNCTOR,
  junctor,
  locked,
  makeHome,
  misbehaving,
  processesMarked,
  promise,
  serveMisbehaving,
  startedServer,
  testServer,
} from '@junctor/testkit';
import { type AuthorityOptions, makeBrowserProgram, startAuthority } from '@junctor/testkit/authority';
import { oldServer } from '@junctor/testkit/peers';
import { serveHttp, serveSse } from '@junctor/testkit/test-server';
import { describe, expect, test } from 'vitest';

interface Step {
  readonly step: string;
  readonly ok: boolean;
  readonly outcome: string;
  readonly detail: string;
  readonly lines?: readonly string[];
  readonly [fact: string]: unknown;
}

interface Examined {
  readonly id: string;
  readonly ok: boolean;
  readonly steps: readonly Step[];
  readonly fix: readonly string[];
}

interface Report {
  readonly code: number | null;
  readonly ok: boolean;
  readonly servers: readonly Examined[];
  readonly problems: readonly string[];
  readonly orphans: readonly { pid: number; command: string; owner: number }[];
  readonly fix: readonly { server?: string; fix: string }[];
}

/** A house whose user file has these servers: they need nobody's approval. */
async function houseOf(servers: Record<string, object>): Promise<Home> {
  const home = await makeHome();
  await home.write('config/junctor/config.json', { version: 1, servers });
  return home;
}

async function doctor(home: Home, words: readonly string[] = [], env: Record<string, string> = {}): Promise<Report> {
  const { code, stdout, stderr } = await junctor(home, ['doctor', ...words, '--json'], { env });
  expect(stderr).toBe('');
  return { code, ...(JSON.parse(stdout) as Omit<Report, 'code'>) };
}

function server({ servers }: Report, id: string): Examined {
  return servers.find(one => one.id === id) ?? expect.unreachable(`no server ${id}`);
}

function step(report: Report, id: string, name: string): Step {
  const { steps } = server(report, id);
  return steps.find(one => one.step === name) ?? expect.unreachable(`no step ${name} in ${JSON.stringify(steps)}`);
}

function outcomes(report: Report, id: string): Record<string, string> {
  return Object.fromEntries(server(report, id).steps.map(({ step: name, outcome }) => [name, outcome]));
}

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
    expect(server(report, 'dead').fix).toEqual([
      expect.stringMatching(/^start its command by hand to see what is wrong: .*dies-early\.ts$/),
    ]);
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
          ['create it, or mend cwd of this server'],
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

promise('7.13b', 'both eras are tried, and the one that is used is told', async () => {
  await using home = await makeHome();
  const diaries = { silent: join(home.path, 'silent'), dies: join(home.path, 'dies') };
  await using open = new AsyncDisposableStack();
  const http = open.adopt(await serveHttp(0, { era: 'legacy' }), one => one.close());
  const sse = open.adopt(await serveSse(0, {}), one => one.close());
  await home.write('config/junctor/config.json', {
    version: 1,
    servers: {
      both: testServer(),
      modern: testServer('--era', 'modern'),
      legacy: testServer('--era', 'legacy'),
      silent: oldServer('silent', diaries.silent),
      dies: oldServer('dies', diaries.dies),
      http: { transport: 'http', url: http.url },
      sse: { transport: 'http', url: sse.url },
      insists: { ...testServer('--era', 'legacy'), protocol: 'modern' },
    },
  });
  const report = await doctor(home);
  const eras = report.servers.map(({ id }) => {
    const { outcome, legacy, modern, uses } = step(report, id, 'eras');
    return [id, outcome, legacy, modern, uses];
  });
  expect(eras).toEqual([
    ['both', 'ok', '2025-11-25', '2026-07-28', '2026-07-28'],
    ['modern', 'ok', null, '2026-07-28', '2026-07-28'],
    ['legacy', 'ok', '2025-11-25', null, '2025-11-25'],
    ['silent', 'ok', '2025-03-26', null, '2025-03-26'],
    ['dies', 'ok', '2025-03-26', null, '2025-03-26'],
    ['http', 'ok', '2025-11-25', null, '2025-11-25'],
    ['sse', 'ok', '2025-11-25', null, '2025-11-25'],
    ['insists', 'no', '2025-11-25', null, null],
  ]);
  expect(report.fix).toEqual([
    { server: 'insists', fix: 'set "protocol": "auto" on server \'insists\'' },
    { server: 'sse', fix: 'save a request at each start: set "transport": "sse" on server \'sse\'' },
  ]);
  expect(report.code).toBe(1);
  // Each try begins when the one before it has ended: first as Junctor does it, which takes two starts here, then the other.
  expect((await readFile(diaries.dies, 'utf8')).trimEnd().split('\n')).toEqual([
    ...['start', 'server/discover'],
    ...['start', 'initialize', 'notifications/initialized', 'tools/list'],
    ...['start', 'server/discover'],
  ]);
});

describe('a server that asks for a sign-in', () => {
  async function guarded(options: AuthorityOptions, oauth?: object) {
    const authority = await startAuthority(options);
    const definition = { transport: 'http', url: authority.mcpUrl, ...(oauth ? { oauth } : {}) };
    const home = await houseOf({ guarded: definition });
    return {
      authority,
      home,
      async [Symbol.asyncDispose]() {
        await authority.close();
        await home[Symbol.asyncDispose]();
      },
    };
  }

  promise('7.13c', 'tells what its metadata offer, and whether somebody has signed in', async () => {
    await using world = await guarded({ deviceFlow: true });
    const { home, authority } = world;
    const before = await doctor(home, ['guarded']);
    expect([before.code, outcomes(before, 'guarded'), server(before, 'guarded').fix]).toEqual([
      3,
      { config: 'ok', address: 'ok', greeted: 'no', auth: 'no' },
      ['junctor mcp login guarded'],
    ]);
    const metadata = {
      asks: true,
      issuer: authority.issuer,
      resource_metadata: true,
      authorization_metadata: true,
      registration: ['dynamic'],
      pkce_s256: true,
      device_code: true,
    };
    expect(step(before, 'guarded', 'auth')).toMatchObject({
      ...metadata,
      state: 'signed_out',
      detail: 'it asks you to sign in',
      lines: [
        'says who guards it (RFC 9728): yes',
        `authorization server: ${authority.issuer}`,
        'new clients: by registration',
        'PKCE S256: yes; device code: yes',
      ],
    });
    // Looking is not registering.
    expect(authority.requests).toMatchObject({ registrations: 0, authorizations: 0, tokens: 0 });

    const browser = await makeBrowserProgram(home);
    expect((await junctor(home, ['mcp', 'login', 'guarded', '--yes'], { env: browser.env })).code).toBe(0);
    const { access_token } = JSON.parse(await readFile(join(home.data, 'mcp-auth.json'), 'utf8')).servers.guarded;
    const text = (await junctor(home, ['doctor', 'guarded'])).stdout;
    const after = await doctor(home, ['guarded']);
    expect([after.code, step(after, 'guarded', 'eras').uses]).toEqual([0, '2026-07-28']);
    expect(step(after, 'guarded', 'auth')).toMatchObject({
      ...metadata,
      state: 'signed_in',
      detail: expect.stringMatching(/^signed in until \d{4}-/),
    });
    expect(`${text}${JSON.stringify(after)}`).not.toContain(access_token);

    authority.revoke();
    const revoked = await doctor(home, ['guarded']);
    expect([revoked.code, server(revoked, 'guarded').fix]).toEqual([3, ['junctor mcp login guarded']]);
  });

  promise('7.13c', 'tells what makes a sign-in impossible', async () => {
    await using closed = await guarded({ registration: false });
    const report = await doctor(closed.home, ['guarded']);
    expect([report.code, server(report, 'guarded').fix]).toEqual([
      1,
      [`register a client at ${closed.authority.issuer}, and put it into oauth.client_id of this server`],
    ]);
    await using own = await guarded({ registration: false }, { client_id: 'ours' });
    const registered = await doctor(own.home, ['guarded']);
    expect([registered.code, step(registered, 'guarded', 'auth').registration]).toEqual([3, ['config']]);

    await using older = await guarded({ fallback: true });
    expect(step(await doctor(older.home, ['guarded']), 'guarded', 'auth')).toMatchObject({
      resource_metadata: false,
      authorization_metadata: true,
    });

    await using web = await serveMisbehaving(locked);
    await using home = await houseOf({
      locked: { transport: 'http', url: web.url },
      key: { transport: 'http', url: web.url, headers: { Authorization: 'Bearer a-key-of-ours-12345' } },
    });
    const nowhere = await doctor(home);
    expect([nowhere.code, step(nowhere, 'locked', 'auth').outcome, server(nowhere, 'locked').fix[0]]).toEqual([
      1,
      'no',
      expect.stringContaining('headers.Authorization'),
    ]);
    expect(server(nowhere, 'key').fix[0]).toContain('put a token that is still good there');
    expect(JSON.stringify(nowhere)).not.toContain('a-key-of-ours');
  });

  test('is none where nobody is asked who he is', async () => {
    await using open = new AsyncDisposableStack();
    const http = open.adopt(await serveHttp(0, {}), one => one.close());
    await using home = await houseOf({ open: { transport: 'http', url: http.url } });
    const report = await doctor(home);
    expect([report.code, step(report, 'open', 'auth').detail]).toEqual([0, 'it asks for no sign-in']);
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
      'fine',
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
