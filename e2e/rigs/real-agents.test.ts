/** Agents as their makers publish them, fetched from the npm registry: each says itself whether it reaches the hub. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { type Home, junctor, makeHome, startHub, testServer } from '@junctor/testkit';
import { describe, expect, type TestContext, test } from 'vitest';

interface RealAgent {
  readonly agent: string;
  readonly package: string;
  readonly program: string;
  readonly file: string;
}

/** Small enough to be fetched each time, and talkative without a login. */
const AGENTS: readonly RealAgent[] = [
  { agent: 'gemini', package: '@google/gemini-cli@0.61.0', program: 'gemini', file: '.gemini/settings.json' },
  { agent: 'qwen-code', package: '@qwen-code/qwen-code@0.24.4', program: 'qwen', file: '.qwen/settings.json' },
];

const FETCHED_MS = 120_000;

/** The folder with the agent's program; skips the test where it cannot be had. */
async function fetchAgent(home: Home, { package: wanted, program }: RealAgent, context: TestContext): Promise<string> {
  const folder = join(home.path, 'agent');
  await mkdir(folder);
  const npm = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, wanted], {
    cwd: folder,
    // How the registry is reached from here, npm's own settings and its cache are those of the machine.
    env: { ...process.env, PATH: ownPath(home) },
    encoding: 'utf8',
    timeout: FETCHED_MS,
  });
  const bin = join(folder, 'node_modules', '.bin');
  if (!existsSync(join(bin, program))) context.skip(`${wanted} cannot be had: ${npm.stderr?.trim().split('\n')[0]}`);
  return bin;
}

/** The Node of this workspace first: with an older one npm picks older agents. */
function ownPath(home: Home, ...folders: readonly string[]): string {
  return [...folders, dirname(process.execPath), home.env.PATH].join(delimiter);
}

describe.each(AGENTS)('$agent', real => {
  // No clause: where the registry cannot be reached this proves nothing.
  test(
    `${real.agent} reaches the hub for one run and for good, and what it does to its own file is noticed`,
    async context => {
      await using home = await makeHome();
      const { agent, program, file } = real;
      const bin = await fetchAgent(home, real, context);
      await using hub = await startHub(home, { servers: { demo: testServer() } });
      const env = { ...home.env, PATH: ownPath(home, bin), GEMINI_CLI_TRUST_WORKSPACE: 'true' };
      const own = join(home.path, file);
      const connected = expect.stringMatching(new RegExp(`junctor: ${hub.url}/mcp/${agent} \\(http\\) - Connected`));

      const once = await junctor(home, ['run', agent, '--', 'mcp', 'list'], { env });
      expect(once.stdout + once.stderr).toEqual(connected);
      expect(await readFile(own, 'utf8').catch(() => '')).not.toContain('junctor');

      await junctor(home, ['mcp', 'export', agent, '--via', 'hub', '--write'], { env });
      const ask = (...words: string[]) =>
        spawnSync(join(bin, program), ['mcp', ...words], {
          cwd: home.project,
          env: { ...env, [`JUNCTOR_TOKEN_${agent.toUpperCase().replaceAll('-', '_')}`]: hub.token },
          encoding: 'utf8',
        });
      const listed = ask('list');
      expect(listed.stdout + listed.stderr).toEqual(connected);

      // Both write the values of all variables into their file when they add a server.
      ask('add', '-s', 'user', 'other', 'x');
      expect(await readFile(own, 'utf8')).toContain(hub.token);
      const check = await junctor(home, ['mcp', 'export', agent, '--check'], { env });
      expect([check.code, check.stdout]).toEqual([1, expect.stringContaining('a token may stand in the file')]);
      await junctor(home, ['mcp', 'export', agent, '--remove'], { env });
      const left = await readFile(own, 'utf8');
      expect(left).not.toMatch(/junctor|jct_/);
      expect(JSON.parse(left).mcpServers).toEqual({ other: expect.objectContaining({ command: 'x' }) });
    },
    FETCHED_MS + 60_000,
  );
});
