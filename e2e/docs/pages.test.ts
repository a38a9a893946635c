import { spawnSync } from 'node:child_process';
import { existsSync, globSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readConfig } from '@junctor/core/config-read';
import { makeHome, promise, ROOT, type RunningHub, startHub, testServer } from '@junctor/testkit';
import { makeBrowserProgram, startAuthority } from '@junctor/testkit/authority';
import { startModel } from '@junctor/testkit/model';
import { describe, expect, test } from 'vitest';
import { rest } from '../hub/rest-client.ts';
import { settled } from '../hub/settled.ts';
import { blocksOf, commandsOf, followPage, makeFolder, readPage } from './run-page.ts';

const PAGES = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: ROOT }).sort()];
const FOLLOWED_MS = 400_000;

/** What a page tells its reader to run and no test runs: in running text, in blocks of other languages, as a program. */
function unrun(page: string): string[] {
  const commands = blocksOf(page, 'console')
    .flatMap(commandsOf)
    .map(({ command }) => command);
  const isRun = (words: string) => commands.some(command => command.includes(words));
  const mentioned = [...readPage(page).matchAll(/`(?:npx )?((?:junctor|npm|node) [^`]+)`/g)].map(
    ([, words = '']) => words,
  );
  const programs = blocksOf(page, 'ts').flatMap(({ file = '' }) => (file.endsWith('.test.ts') ? ['vitest run'] : file));
  const others = blocksOf(page).filter(({ language }) => !CHECKED.includes(language));
  return [...[...mentioned, ...programs].filter(words => !isRun(words)), ...others.map(({ text }) => text)];
}

/** The languages of blocks that are run, or held against the schema. */
const CHECKED = ['console', 'ts', 'json', 'yaml', 'toml'];

describe.concurrent('what a page tells its reader to do gives what it shows', () => {
  test(
    'README.md',
    async () => {
      const printed = (await followPage('README.md')).split('\n');
      expect(printed).toEqual(expect.arrayContaining(['mcp__demo__echo', 'hello']));
    },
    FOLLOWED_MS,
  );

  promise(
    ['6.1a', '6.1b'],
    'docs/setup.md, all of it',
    async () => {
      expect(unrun('docs/setup.md')).toEqual([]);
      await followPage('docs/setup.md');
    },
    FOLLOWED_MS,
  );

  promise(
    ['6.2a', '6.2b', '8.26a'],
    'docs/developer.md, all of it',
    async () => {
      expect(unrun('docs/developer.md')).toEqual([]);
      await followPage('docs/developer.md');
    },
    FOLLOWED_MS,
  );

  promise(
    ['6.4a', '6.4b', '6.4c'],
    'docs/servers.md: real servers from npm, each started and asked for its tools',
    async () => {
      const page = 'docs/servers.md';
      const servers = [...readPage(page).matchAll(/^## `(@modelcontextprotocol\/server-(\S+))`$/gm)];
      expect(servers.map(([, , name]) => name)).toEqual(['everything', 'filesystem', 'memory']);
      const commands = blocksOf(page, 'console')
        .flatMap(commandsOf)
        .map(({ command }) => command);
      for (const [, , name] of servers) expect(commands).toContain(`npx junctor mcp tools ${name}`);
      expect(unrun(page)).toEqual([]);
      await followPage(page);
    },
    FOLLOWED_MS,
  );

  test(
    'docs/adapters.md, with a model on this machine',
    async () => {
      expect(unrun('docs/adapters.md')).toEqual([]);
      const echo = { calls: [{ name: 'mcp__demo__echo', args: { text: 'hello' } }] };
      const said = { text: 'The server said hello.' };
      await using model = await startModel([echo, said, echo, said]);
      await followPage('docs/adapters.md', async () => ({ env: { OPENAI_BASE_URL: model.url } }));
      expect(model.complaints).toEqual([]);
    },
    FOLLOWED_MS,
  );

  test(
    'docs/sign-in.md, with an authority on this machine',
    async () => {
      await using authority = await startAuthority();
      await followPage('docs/sign-in.md', async home => ({
        env: (await makeBrowserProgram(home)).env,
        standIns: {
          'https://mcp.example.com/mcp': authority.mcpUrl,
          'https://auth.example.com': authority.issuer,
        },
      }));
    },
    FOLLOWED_MS,
  );

  test(
    'docs/rest.md, with a hub of its own',
    async () => {
      await using home = await makeHome();
      await using hub = await startHub(home, { servers: { demo: { ...testServer(), mode: 'shared' } } });
      // Shared, it stays: what only one session uses is ended when nobody does.
      await expect.poll(async () => (await hub.fetch('/api/status')).text()).toContain('"tools":20');
      await followPage('docs/rest.md', async () => ({
        env: { JUNCTOR_HUB_TOKEN: hub.token },
        standIns: { 'http://127.0.0.1:7717': hub.url },
      }));
    },
    FOLLOWED_MS,
  );

  test(
    'docs/hub.md, with a hub of its own',
    async () => {
      await using home = await makeHome();
      await using hub = await startHub(home, { servers: { demo: { ...testServer(), trust: 'trusted' } } });
      await settled(hub);
      await followPage('docs/hub.md', async () => ({
        env: { JUNCTOR_TOKEN_CODEX: await agentToken(hub), JUNCTOR_DATA: home.data },
        standIns: { 'http://127.0.0.1:7717': hub.url },
      }));
    },
    FOLLOWED_MS,
  );

  test(
    'docs/approvals.md, with a hub of its own',
    async () => {
      await using home = await makeHome();
      await using hub = await startHub(home, { servers: { demo: testServer() } });
      await settled(hub);
      await followPage('docs/approvals.md', async () => ({
        env: { JUNCTOR_TOKEN_CODEX: await agentToken(hub), JUNCTOR_HUB_TOKEN: hub.token, JUNCTOR_DATA: home.data },
        standIns: { 'http://127.0.0.1:7717': hub.url },
      }));
    },
    FOLLOWED_MS,
  );

  test(
    'docs/agents.md, with a hub of its own',
    async () => {
      await using hubHome = await makeHome();
      await using hub = await startHub(hubHome, { servers: { demo: testServer() } });
      await settled(hub);
      await followPage('docs/agents.md', async () => ({
        env: { JUNCTOR_DATA: hubHome.data },
        standIns: { 'http://127.0.0.1:7717': hub.url, ':7717/': `:${new URL(hub.url).port}/`, '…/data': hubHome.data },
      }));
    },
    FOLLOWED_MS,
  );

  for (const page of [
    'docs/config.md',
    'docs/dialects.md',
    'docs/doctor.md',
    'docs/executors.md',
    'docs/explain.md',
    'docs/names.md',
    'docs/permissions.md',
    'docs/results.md',
    'docs/search-mode.md',
    'docs/search.md',
    'docs/secrets.md',
  ]) {
    test(
      page,
      async () => {
        await followPage(page);
      },
      FOLLOWED_MS,
    );
  }
});

async function agentToken(hub: RunningHub): Promise<string> {
  return (await rest(hub, '/api/tokens', { method: 'POST', body: { agent: 'codex' } })).body.token;
}

describe('a page', () => {
  test('shows configs that load', async () => {
    for (const page of PAGES) {
      // A block with the name of a file is written, and used by the commands after it.
      for (const { language, text } of blocksOf(page, 'json', 'yaml', 'toml').filter(({ file }) => !file)) {
        const read = await readConfig(`${page}.${language}`, text, { home: '/home/ada' });
        expect({ page, problems: read.ok ? read.reading.problems : read.problems }).toEqual({ page, problems: [] });
      }
    }
  });

  test('shows programs whose types are right', () => {
    using folder = makeFolder();
    const settings = { extends: '../../tsconfig.check.json', include: ['*.ts'] };
    writeFileSync(join(folder.path, 'tsconfig.json'), JSON.stringify(settings));
    for (const page of PAGES) {
      blocksOf(page, 'ts').forEach(({ text }, index) => {
        writeFileSync(join(folder.path, `${page.replaceAll('/', '-')}-${index}.ts`), text);
      });
    }
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder.path], { encoding: 'utf8' });
    expect(stdout).toBe('');
  });

  test('links to files and headings that exist', () => {
    const broken = PAGES.flatMap(page =>
      [...readPage(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)].flatMap(([, path = '', heading]) => {
        const file = path === '' ? page : join(dirname(page), path);
        if (!existsSync(join(ROOT, file))) return [`${page}: ${file}`];
        return heading === undefined || headings(file).includes(heading) ? [] : [`${page}: ${file}#${heading}`];
      }),
    );
    expect(broken).toEqual([]);
  });
});

/** As GitHub makes addresses of headings. */
function headings(page: string): string[] {
  return [...readPage(page).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
