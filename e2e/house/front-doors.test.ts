import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { junctor, makeHome, promise, ROOT, startHub, testServer } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import {
  AGENTS,
  COMMANDS,
  CONFIG_FILES,
  EXPORTS,
  GLOBAL_OPTIONS,
  PATHS,
  REPOSITORY_FILES,
  SCRIPTS,
} from './front-door-names.ts';

const page = readFileSync(join(ROOT, 'docs', 'promises.md'), 'utf8');

/** What is promised and not there yet cannot have been renamed. */
function isKept(clause: string): boolean {
  const state = new RegExp(`^\\| ${clause.replace('.', '\\.')} +\\| (open|kept) `, 'm').exec(page)?.[1];
  if (state === undefined) throw new Error(`docs/promises.md has no clause ${clause}`);
  return state === 'kept';
}

/** One server, in the words of each format. */
function oneServer(file: string, id: string): string {
  const document = { servers: { [id]: { transport: 'stdio', command: 'x' } } };
  if (file.endsWith('.toml')) return `[servers.${id}]\ntransport = "stdio"\ncommand = "x"\n`;
  if (/ya?ml$/.test(file)) return `servers:\n  ${id}:\n    transport: stdio\n    command: x\n`;
  return JSON.stringify(document);
}

const MANY_COMMANDS_MS = 300_000;

describe('no name of the front doors is renamed or removed', () => {
  promise(
    '8.35a',
    'commands, options, paths, exports, files and variables are all there',
    async () => {
      await using home = await makeHome();
      const kept = COMMANDS.filter(({ clause }) => isKept(clause));
      const helps = new Map<string, string>();
      for (const { words } of kept) {
        if (helps.has(words)) continue;
        const { code, stdout } = await junctor(home, [...words.split(' '), '--help']);
        helps.set(words, code === 0 ? stdout : '');
      }
      const named = (help: string, option: string): boolean =>
        new RegExp(`^ +(?:-\\w, )?--?${option}(?:[ ,]|$)`, 'm').test(help);
      const missing = kept.flatMap(({ words, options = [] }) => {
        const help = helps.get(words) ?? '';
        if (!help.startsWith(`usage: junctor ${words}`)) return [words];
        return [...options, ...GLOBAL_OPTIONS].filter(option => !named(help, option)).map(one => `${words} --${one}`);
      });
      expect(missing).toEqual([]);

      await using hub = await startHub(home, { version: 1, servers: { demo: testServer() } });
      const lost: string[] = [];
      for (const { path } of PATHS.filter(({ clause }) => isKept(clause))) {
        const response = await hub.fetch(path);
        await response.body?.cancel();
        if (response.status === 404) lost.push(path);
      }
      expect(lost).toEqual([]);

      for (const [name, wanted] of Object.entries(EXPORTS)) {
        expect([name, Object.keys(await import(name))]).toEqual([name, expect.arrayContaining([...wanted])]);
      }
      const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
      expect(Object.keys(scripts)).toEqual(expect.arrayContaining(SCRIPTS));
      expect(REPOSITORY_FILES.filter(file => !existsSync(join(ROOT, file)))).toEqual([]);
      await filesAndVariables();
    },
    MANY_COMMANDS_MS,
  );

  test('a clause that is listed exists', () => {
    for (const { clause } of [...COMMANDS, ...PATHS]) isKept(clause);
  });
});

async function filesAndVariables(): Promise<void> {
  const { loadMcpConfig } = await import('@junctor/core');
  const idsIn = async (files: readonly string[], more: Record<string, string> = {}): Promise<string[]> => {
    await using home = await makeHome();
    // A plugin of a project counts where there is a project.
    if (files.some(file => file.includes('.junctor/plugins'))) await home.write('project/junctor.json', {});
    for (const [at, file] of files.entries()) await home.write(file, oneServer(file, `s${at}`));
    const { JUNCTOR_DATA: _, ...env } = home.env;
    const surroundings = { cwd: home.project, home: home.path, env: { ...env, ...more }, platform: 'linux' as const };
    return [...(await loadMcpConfig({ surroundings })).servers.keys()];
  };
  for (const file of CONFIG_FILES) expect([file, await idsIn([file])]).toEqual([file, ['s0']]);
  expect(await idsIn([], { JUNCTOR_CONFIG_JSON: oneServer('inline.json', 'inline') })).toEqual(['inline']);
  await using home = await makeHome();
  const path = await home.write('elsewhere.json', oneServer('elsewhere.json', 'named'));
  expect(await idsIn([], { JUNCTOR_CONFIG_PATH: path })).toEqual(['named']);
}

promise('8.33a', 'ids of agents are lower-case with hyphens, in every place that lists them', async () => {
  await using home = await makeHome();
  await using hub = await startHub(home, { version: 1, servers: {} });
  const { agents } = (await (await hub.fetch('/api/agents')).json()) as { agents: { agent_id: string }[] };
  const ids = agents.map(({ agent_id }) => agent_id);
  expect(ids).toEqual(expect.arrayContaining(AGENTS));
  const refused = await junctor(home, ['mcp', 'export', 'no-such-agent']);
  const listed = /one of:? (.*)/.exec(refused.stderr)?.[1]?.split(/, | or /) ?? [];
  expect(listed).toEqual(expect.arrayContaining(AGENTS));
  for (const id of [...ids, ...listed]) expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  // A door answers to its id however it is spelled, and to no other name.
  const statusAt = async (path: string): Promise<number> => (await hub.fetch(path)).status;
  expect(await statusAt('/api/mcp-config?agent=CODEX')).toBe(await statusAt('/api/mcp-config?agent=codex'));
});
