import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AGENT_NAMES } from '@junctor/core/light';
import { type Home, junctor, makeHome, processesMarked, promise, startHub, testServer } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { AGENT_FILES, TOKEN_REFERENCE } from './agent-files.ts';
import { installAgents, readReport, startRun } from './fake-agent.ts';

const PROGRAMS = {
  'claude-code': 'claude',
  'claude-desktop': 'claude-desktop',
  cline: 'cline',
  codex: 'codex',
  continue: 'cn',
  copilot: 'copilot',
  cursor: 'cursor-agent',
  droid: 'droid',
  gemini: 'gemini',
  goose: 'goose',
  grok: 'grok',
  kilo: 'kilo',
  kimi: 'kimi',
  opencode: 'opencode',
  'qwen-code': 'qwen',
  vscode: 'code',
  windsurf: 'windsurf',
  zed: 'zed',
} as const;

/** How each is told where its config for this run lies: the words before its own, or a variable. */
const HANDED = {
  'claude-code': (file: string) => ({ words: [`--mcp-config=${file}`] }),
  continue: (file: string) => ({ words: ['--config', file] }),
  copilot: (file: string) => ({ words: ['--additional-mcp-config', `@${file}`] }),
  kilo: (file: string) => ({ variable: 'KILO_CONFIG', file }),
  opencode: (file: string) => ({ variable: 'OPENCODE_CONFIG', file }),
  'qwen-code': (file: string) => ({ variable: 'QWEN_CODE_SYSTEM_SETTINGS_PATH', file }),
} as const;

const OWN_FILE = AGENT_NAMES.filter(agent => !(agent in HANDED) && agent !== 'codex');

interface Scene extends AsyncDisposable {
  readonly home: Home;
  readonly hub: Awaited<ReturnType<typeof startHub>>;
  readonly env: Record<string, string>;
}

async function scene(config: object = { servers: {} }): Promise<Scene> {
  const home = await makeHome();
  const hub = await startHub(home, config);
  const env = await installAgents(home, ...Object.values(PROGRAMS));
  return {
    home,
    hub,
    env,
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

function initialize(hub: Scene['hub'], agent: string, token: string | undefined): Promise<Response> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  return hub.fetch(`/mcp/${agent}`, {
    method: 'POST',
    token,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
}

describe('a config for one run', () => {
  promise(
    ['5.7a', '5.7b', '8.21a', '8.21b'],
    'lies in a temporary folder, is named by the flag or variable the agent takes, and is gone afterwards with its token',
    async () => {
      await using here = await scene();
      const { home, hub, env } = here;
      for (const [agent, handed] of Object.entries(HANDED)) {
        const url = `${hub.url}/mcp/${agent}`;
        const args = ['run', agent, '--', '--mcp-config', 'mine', '-p', 'two words', '--json'];
        const { code } = await junctor(home, args, { env: { ...env, FAKE_URL: url, FAKE_CODE: '9' } });
        const { argv, env: seen, files, status } = await readReport(home);
        const file = Object.keys(files).find(path => path.includes('junctor-run-')) ?? '';
        const { words = [], variable } = handed(file) as { words?: string[]; variable?: string };
        // What comes after two dashes is the agent's, whatever it looks like; so is its exit code.
        expect([agent, code, argv]).toEqual([
          agent,
          9,
          [...words, '--mcp-config', 'mine', '-p', 'two words', '--json'],
        ]);
        if (variable) expect(seen[variable]).toBe(file);
        expect(files[file]).toContain(url);
        expect(files[file]).toContain(TOKEN_REFERENCE[agent as keyof typeof HANDED]);
        expect(files[file]).not.toContain(seen.JUNCTOR_TOKEN);
        expect([agent, status]).toEqual([agent, 200]);
        expect(existsSync(dirname(file))).toBe(false);
        await expect.poll(async () => (await initialize(hub, agent, seen.JUNCTOR_TOKEN)).status).toBe(401);
        expect(existsSync(join(home.path, AGENT_FILES[agent as keyof typeof HANDED].file))).toBe(false);
      }
    },
  );

  promise('8.21a', 'starts a hub where none runs', async () => {
    await using home = await makeHome();
    await home.write('config/junctor/config.json', { servers: { demo: testServer() } });
    const env = await installAgents(home, 'claude');
    try {
      const { code, stderr } = await junctor(home, ['run', 'claude-code'], { env });
      expect([code, stderr]).toEqual([0, expect.stringContaining('started a hub at http://127.0.0.1:')]);
      const { url } = JSON.parse((await junctor(home, ['hub', 'status', '--json'])).stdout);
      expect(Object.values((await readReport(home)).files).join()).toContain(`"url": "${url}/mcp/claude-code"`);
    } finally {
      await junctor(home, ['hub', 'stop']);
    }
  });

  promise('8.21a', 'Codex gets it as settings on its command line, which hold no secret', async () => {
    await using here = await scene();
    const { home, hub, env } = here;
    const url = `${hub.url}/mcp/codex`;
    const { code } = await junctor(home, ['run', 'CODEX', '--', 'exec'], { env: { ...env, FAKE_URL: url } });
    const { argv, status } = await readReport(home);
    expect([code, status]).toEqual([0, 200]);
    expect(argv).toEqual([
      '-c',
      `mcp_servers.junctor={ url = "${url}", bearer_token_env_var = "JUNCTOR_TOKEN" }`,
      'exec',
    ]);
  });

  promise('5.7b', 'keeps what the variable or the flag stood for before', async () => {
    await using here = await scene();
    const { home, env } = here;
    const mine = await home.write('mine.json', '{ "theme": "dark" }');
    await junctor(home, ['run', 'opencode'], { env: { ...env, OPENCODE_CONFIG: mine } });
    const [held] = Object.values((await readReport(home)).files);
    expect(JSON.parse(held ?? '')).toMatchObject({ theme: 'dark', mcp: { junctor: { type: 'remote' } } });
    expect(await readFile(mine, 'utf8')).toBe('{ "theme": "dark" }');
    const own = await home.write('.continue/config.yaml', 'name: mine # really\nmodels: []\n');
    await junctor(home, ['run', 'continue'], { env });
    const copy = Object.entries((await readReport(home)).files).find(([path]) => path.includes('junctor-run-'))?.[1];
    expect(copy).toMatch(/^name: mine # really\nmodels: \[\]\n[\s\S]*name: junctor/);
    expect(await readFile(own, 'utf8')).toBe('name: mine # really\nmodels: []\n');
  });

  promise(
    '5.7c',
    "goes to the agent's own file where the agent takes no other, and every byte is put back afterwards",
    async () => {
      await using here = await scene();
      const { home, hub, env } = here;
      for (const agent of OWN_FILE) {
        const path = join(home.path, AGENT_FILES[agent].file);
        const url = `${hub.url}/mcp/${agent}`;
        const run = () => junctor(home, ['run', agent], { env: { ...env, FAKE_URL: url, OWN: path } });
        expect([agent, (await run()).code]).toEqual([agent, 0]);
        const { files, status } = await readReport(home);
        expect([agent, status]).toEqual([agent, 200]);
        expect(files[path]).toContain(TOKEN_REFERENCE[agent] ?? 'connect');
        expect([agent, existsSync(path)]).toEqual([agent, false]);
        if (agent !== 'grok') continue;
        const mine = '# mine\n[mcp_servers.own] # too\ncommand = "x"\n\n\n';
        await home.write(AGENT_FILES[agent].file, mine);
        await run();
        expect((await readReport(home)).files[path]).toContain('[mcp_servers.junctor]');
        expect(await readFile(path, 'utf8')).toBe(mine);
      }
    },
  );
});

describe('the end of a run', () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s reaches the agent, and all is put back', async signal => {
    await using here = await scene();
    const { home, env } = here;
    const own = await home.write('.grok/config.toml', 'x = 1\n');
    const running = await startRun(home, { ...env, OWN: own }, ['grok']);
    expect(running.report.files[own]).toContain('junctor');
    expect(await running.end(signal)).toBe({ SIGTERM: 7, SIGINT: 130, SIGHUP: 129 }[signal]);
    expect(await readFile(own, 'utf8')).toBe('x = 1\n');
    const temporary = await startRun(home, env, ['opencode']);
    const file = temporary.report.env.OPENCODE_CONFIG ?? '';
    expect((await stat(dirname(file))).mode & 0o777).toBe(0o700);
    await temporary.end(signal);
    expect(existsSync(dirname(file))).toBe(false);
  });

  promise(['5.7a', '5.7c'], 'what a killed run left is put back by the next start', async () => {
    await using here = await scene();
    const { home, hub, env } = here;
    const own = await home.write('.grok/config.toml', 'x = 1\n');
    const killed = [await startRun(home, { ...env, OWN: own }, ['grok']), await startRun(home, env, ['opencode'])];
    const folder = dirname(killed[1]?.report.env.OPENCODE_CONFIG ?? '');
    for (const run of killed) await run.end('SIGKILL');
    expect(await readFile(own, 'utf8')).toContain('junctor');
    expect(existsSync(folder)).toBe(true);
    await junctor(home, ['run', 'qwen-code'], { env });
    expect(await readFile(own, 'utf8')).toBe('x = 1\n');
    expect(existsSync(folder)).toBe(false);
    for (const { report } of killed) {
      const agent = report.env.OPENCODE_CONFIG ? 'opencode' : 'grok';
      await expect.poll(async () => (await initialize(hub, agent, report.env.JUNCTOR_TOKEN)).status).toBe(401);
    }
    for (const { pid } of orphans(home)) process.kill(pid, 'SIGKILL');
  });

  test('the last of several runs puts the file back', async () => {
    await using here = await scene();
    const { home, env } = here;
    const own = await home.write('.grok/config.toml', 'x = 1\n');
    const first = await startRun(home, env, ['grok']);
    const second = await startRun(home, env, ['grok']);
    await first.end('SIGTERM');
    expect(await readFile(own, 'utf8')).toContain('junctor');
    await second.end('SIGTERM');
    expect(await readFile(own, 'utf8')).toBe('x = 1\n');
  });

  test('what was exported for good is not taken away', async () => {
    await using here = await scene();
    const { home, env } = here;
    await junctor(home, ['mcp', 'export', 'grok', '--via', 'hub', '--write']);
    const own = join(home.path, '.grok/config.toml');
    const before = await readFile(own);
    await junctor(home, ['run', 'grok'], { env });
    expect(await readFile(own)).toEqual(before);
  });

  test('a program that is not there is named, and nothing stays behind', async () => {
    await using here = await scene();
    const { home } = here;
    const { code, stderr } = await junctor(home, ['run', 'grok', '--program', 'no-such-agent']);
    expect([code, stderr]).toEqual([1, expect.stringContaining("there is no program 'no-such-agent' on your PATH")]);
    expect(existsSync(join(home.path, '.grok/config.toml'))).toBe(false);
    expect(existsSync(join(home.data, 'hub-tokens.json'))).toBe(false);
  });
});

describe('credentials', () => {
  promise(
    '7.4f',
    "those of servers are in no agent's file, words or environment, and the servers have them all the same",
    async () => {
      const [variable, header, stored, literal, key] = [
        'a-variable-1',
        'a-header-22',
        'a-store-333',
        'a-text-4444',
        'a-key-55555',
      ];
      const secrets = [variable, header, stored, literal, key] as string[];
      await using home = await makeHome();
      const upstream = { UPSTREAM_API_TOKEN: variable, HEADER_VALUE: header, QUERY_KEY: header, BEARER: header };
      Object.assign(home.env, upstream, { JUNCTOR_SECRET_KEY: key, HARMLESS: 'stays' });
      await junctor(home, ['secret', 'set', 'stored'], { input: stored ?? '' });
      const server = testServer();
      const seen = join(home.path, 'seen');
      const config = {
        servers: {
          demo: {
            ...server,
            command: 'sh',
            args: [
              '-c',
              `echo "$API_TOKEN $STORED $LITERAL_KEY" > ${seen}; exec ${server.command} "$@"`,
              'sh',
              ...server.args,
            ],
            env: { API_TOKEN: '${UPSTREAM_API_TOKEN}', STORED: '${secret:stored}', LITERAL_KEY: literal },
          },
          web: {
            transport: 'http',
            url: 'http://127.0.0.1:9/mcp?key=${QUERY_KEY}',
            headers: { 'X-Api': '${HEADER_VALUE}' },
          },
          bearer: { transport: 'http', url: 'http://127.0.0.1:9/mcp', bearer_token_env_var: 'BEARER' },
        },
      };
      await home.write('config/junctor/config.json', config);
      const env = await installAgents(home, ...Object.values(PROGRAMS));
      await using hub = await startHub(home, config);
      await expect
        .poll(() => readFile(seen, 'utf8').catch(() => ''), { timeout: 20_000 })
        .toBe(`${variable} ${stored} ${literal}\n`);
      for (const agent of AGENT_NAMES) {
        const path = join(home.path, AGENT_FILES[agent].file);
        const { code, stderr } = await junctor(home, ['run', agent], {
          env: { ...env, OWN: path, FAKE_URL: `${hub.url}/mcp/${agent}` },
        });
        const report = JSON.stringify(await readReport(home));
        expect([agent, code]).toEqual([agent, 0]);
        expect(report).toContain('"status":200');
        for (const secret of secrets) expect(report).not.toContain(secret);
        expect(report).toContain('"HARMLESS":"stays"');
        expect(stderr).toContain('BEARER, HEADER_VALUE, JUNCTOR_SECRET_KEY, QUERY_KEY, UPSTREAM_API_TOKEN');
      }
      await junctor(home, ['run', 'codex', '--keep-env', 'BEARER'], { env });
      expect((await readReport(home)).env).toMatchObject({ BEARER: header });
    },
  );
});

describe('elsewhere', () => {
  promise(
    '5.7d',
    "the file is written where the agent looks for it on that executor, with the hub's address as it is called there",
    async () => {
      await using here = await scene();
      const { home, hub, env } = here;
      const there = join(home.path, 'volume');
      await home.write('config/junctor/config.json', {
        servers: { api: { transport: 'http', url: 'http://localhost:8000/mcp' } },
        executors: { docker: { home: there } },
      });
      const port = new URL(hub.url).port;
      const written = ['mcp', 'export', 'codex', '--executor', 'docker'];
      await junctor(home, [...written, '--via', 'hub', '--write']);
      const file = join(there, '.codex/config.toml');
      expect(await readFile(file, 'utf8')).toContain(`url = "http://host.docker.internal:${port}/mcp/codex"`);
      await junctor(home, [...written, '--write']);
      expect(await readFile(file, 'utf8')).toContain('url = "http://host.docker.internal:8000/mcp"');
      expect(existsSync(join(home.path, '.codex/config.toml'))).toBe(false);
      await junctor(home, [...written, '--remove']);
      expect(existsSync(file)).toBe(false);

      const run = ['run', 'opencode', '--executor', 'docker', '--program', join(home.path, 'bin/opencode'), '--', 'x'];
      const inside = join(there, '.config/opencode/opencode.json');
      expect((await junctor(home, run, { env: { ...env, OWN: inside } })).code).toBe(0);
      const { argv, files } = await readReport(home);
      expect(argv).toEqual(['x']);
      expect(files[inside]).toContain(`http://host.docker.internal:${port}/mcp/opencode`);
      expect(existsSync(inside)).toBe(false);

      // A project cannot lead an agent and its token to an address of its own choice.
      await home.write('project/junctor.json', {
        executors: { docker: { http_url_rewrite: { '127.0.0.1': 'evil.example.com' }, home: '/elsewhere' } },
      });
      const sly = await junctor(home, ['mcp', 'export', 'codex', '--executor', 'docker', '--via', 'hub', '--dry-run']);
      expect(sly.stdout).toContain(`+url = "http://host.docker.internal:${port}/mcp/codex"`);
      expect(sly.stdout).toContain(`+++ ${file}`);
      expect(sly.stderr).toContain('does not count before you approve it');

      const unknown = await junctor(home, ['mcp', 'export', 'codex', '--executor', 'ssh', '--write']);
      expect([unknown.code, unknown.stderr]).toEqual([
        2,
        expect.stringContaining("does not know where agents on executor 'ssh' have their files"),
      ]);
      const start = (executor: string) =>
        junctor(home, ['run', 'opencode', '--executor', executor, '--program', join(home.path, 'bin/opencode')], {
          env,
        });
      expect((await start('ssh')).stderr).toContain('junctor hub token --agent opencode --executor ssh');
      // A sandbox confines servers; its agents are on this machine.
      expect((await start('sandbox')).code).toBe(0);
    },
  );
});

/** Agents whose run was killed. */
function orphans(home: Home): readonly { readonly pid: number }[] {
  return processesMarked(home.path).filter(({ command }) => command.includes(join(home.path, 'bin')));
}
