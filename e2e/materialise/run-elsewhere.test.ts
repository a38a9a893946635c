import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { AGENT_NAMES } from '@junctor/core/light';
import { junctor, makeHome, promise, startHub, testServer } from '@junctor/testkit';
import { describe, expect } from 'vitest';
import { AGENT_FILES } from './agent-files.ts';
import { installAgents, readReport } from './fake-agent.ts';
import { PROGRAMS, scene } from './run-scene.ts';

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
      const ran = await junctor(home, run, { env: { ...env, OWN: inside } });
      expect([ran.code, ran.stderr]).toEqual([
        0,
        expect.stringContaining("no settings of executor 'docker' say where"),
      ]);
      expect(ran.stderr).toContain("opencode on executor 'docker' does not reach the hub");
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

      // Nobody there reaches a hub on loopback: that is said, with what to do. The token is for that executor.
      const closed = await junctor(home, [...written, '--via', 'hub', '--write']);
      expect(closed.stderr).toContain("warning: Codex on executor 'docker' does not reach the hub: the hub listens on");
      expect(closed.stderr).toContain('junctor hub --host 0.0.0.0 --allow-host host.docker.internal');
      expect(closed.stderr).toContain('junctor hub token --agent codex --executor docker');
      const far = ['mcp', 'export', 'codex', '--executor', 'ssh', '--via', 'hub', '--out', join(home.path, 'far.toml')];
      expect((await junctor(home, far)).stderr).toContain('leads to their own machine there, not to the hub');

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

promise('5.7aa', 'a hub that is open to agents elsewhere is written with an address that works there', async () => {
  await using home = await makeHome();
  await home.write('config/junctor/config.json', {
    servers: {},
    executors: { docker: { home: join(home.path, 'box') } },
  });
  const words = ['mcp', 'export', 'codex', '--via', 'hub', '--executor', 'docker', '--dry-run'];
  const exported = async (...options: string[]) => {
    await using hub = await startHub(home, { servers: {} }, options);
    const { stdout, stderr } = await junctor(home, words);
    const [, url = ''] = /url = "([^"]+)"/.exec(stdout) ?? [];
    const { port } = new URL(hub.url);
    const { hostname, host } = new URL(url);
    // As a request from there arrives.
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port, path: '/mcp/codex', headers: { host } }, answer => {
        answer.resume();
        resolve(answer.statusCode);
      });
      asked.once('error', reject).end();
    });
    return { hostname, port: new URL(url).port === port, status, said: stderr.includes('does not reach the hub') };
  };
  const inBox = { hostname: 'host.docker.internal', port: true };
  expect(await exported('--host', '0.0.0.0')).toEqual({ ...inBox, status: 403, said: true });
  const open = ['--host', '0.0.0.0', '--allow-host', 'host.docker.internal'];
  expect(await exported(...open)).toEqual({ ...inBox, status: 401, said: false });
  const named = await exported('--public-url', 'https://hub.example.com');
  expect(named).toMatchObject({ hostname: 'hub.example.com', status: 401, said: false });
});
