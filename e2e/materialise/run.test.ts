import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AGENT_NAMES } from '@junctor/core/light';
import { junctor, makeHome, promise, startHubIn, testServer } from '@junctor/testkit';
import { describe, expect } from 'vitest';
import { makeProject, registeredIn } from '../hub/in-project.ts';
import { AGENT_FILES, TOKEN_REFERENCE } from './agent-files.ts';
import { installAgents, readReport } from './fake-agent.ts';
import { initialize, scene } from './run-scene.ts';

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

  promise(['5.10m', '5.10n'], 'leads to the project it is started in', async () => {
    await using home = await makeHome();
    const env = await installAgents(home, 'claude');
    const one = await makeProject(home, 'one', { alpha: testServer() });
    const two = await makeProject(home, 'two', { beta: testServer() });
    await using hub = await startHubIn(home, one);
    const id = await registeredIn(hub, two);
    const url = `${hub.url}/mcp/claude-code/w/${id}`;
    const { stderr } = await junctor(home, ['run', 'claude-code'], { cwd: two, env: { ...env, FAKE_URL: url } });
    const { files, status } = await readReport(home);
    expect(stderr).toContain(`the hub at ${hub.url} serves ${two}\n`);
    expect(Object.values(files).join()).toContain(`"url": "${url}"`);
    expect(status).toBe(200);
    const { sessions } = (await (await hub.fetch('/api/sessions')).json()) as {
      sessions: { project: string; servers: { server: string }[] }[];
    };
    expect(sessions.map(({ project, servers }) => [project, servers.map(({ server }) => server)])).toEqual([
      [two, ['beta']],
    ]);
    await junctor(home, ['run', 'claude-code'], { cwd: one, env });
    expect(Object.values((await readReport(home)).files).join()).toContain(`"url": "${hub.url}/mcp/claude-code"`);
  });

  promise('8.21a', 'starts a hub where none runs', async () => {
    await using home = await makeHome();
    await home.write('config/junctor/config.json', { servers: { demo: testServer() } });
    const env = await installAgents(home, 'claude');
    try {
      const { code, stderr } = await junctor(home, ['run', 'claude-code'], { env });
      expect([code, stderr]).toEqual([0, expect.stringContaining('started a hub at http://127.0.0.1:')]);
      const { url } = JSON.parse((await junctor(home, ['hub', 'status', '--json'])).stdout);
      const given = Object.values((await readReport(home)).files).join();
      expect(given).toMatch(new RegExp(`"url": "${url}/mcp/claude-code/w/[0-9a-f]{32}"`));
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
      `mcp_servers.junctor={ url = "${url}", bearer_token_env_var = "JUNCTOR_TOKEN_CODEX" }`,
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
