/** A hub with servers that people really use, and the work of a day behind it. */

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Home, makeHome, type RunningHub, startHub } from '@junctor/testkit';
import { type Authority, startAuthority } from '@junctor/testkit/authority';
import { rest } from '../../hub/rest-client.ts';
import { RawClient } from '../../hub/rpc.ts';

export interface WorkedHub extends AsyncDisposable {
  readonly hub: RunningHub;
  readonly home: Home;
}

const DAY_MS = 24 * 60 * 60_000;
const AGENTS = { 'claude-code': '2.1.40', codex: '0.101.0', cursor: '2.4.1' } as const;
type Agent = keyof typeof AGENTS;

export async function openWorkedHub(): Promise<WorkedHub> {
  const scope = new AsyncDisposableStack();
  try {
    const authority: Authority = scope.use(await startAuthority());
    const home = scope.use(await makeHome());
    await home.write('project/notes.md', '# Notes\n\nShip the release on Friday.\n');
    const config = configFor(home, authority.mcpUrl);
    {
      await using before = await startHub(home, config);
      for (const agent of names()) await work(await connect(before, agent), home);
    }
    spreadOverTheDay(join(home.data, 'hub.db'));
    const hub = scope.use(await startHub(home, config, ['--grace', '1']));
    await rest(hub, '/api/tokens', { method: 'POST', body: { agent: 'claude-code', name: 'laptop' } });
    for (const agent of names()) await look(await connect(hub, agent), home);
    const writes = await connect(hub, 'claude-code');
    const path = join(home.project, 'release.md');
    // It waits for a yes that nobody gives, and ends with the hub.
    writes.call(1, 'files_write_file', { path, content: '# Release\n' }).catch(() => {});
    await untilAsked(hub);
    const owned = scope.move();
    return { hub, home, [Symbol.asyncDispose]: () => owned.disposeAsync() };
  } catch (error) {
    await scope.disposeAsync();
    throw error;
  }
}

function names(): Agent[] {
  return Object.keys(AGENTS) as Agent[];
}

function connect(hub: RunningHub, agent: Agent): Promise<RawClient> {
  return RawClient.open(hub, `/mcp/${agent}`, { name: agent, version: AGENTS[agent] });
}

function configFor(home: Home, guarded: string): object {
  return {
    version: 1,
    servers: {
      files: shared('mcp-server-filesystem', home.project),
      memory: { ...shared('mcp-server-memory'), env: { MEMORY_FILE_PATH: join(home.path, 'memory.json') } },
      everything: shared('mcp-server-everything', 'stdio'),
      demo: shared('junctor', 'test-server', '--stdio'),
      tickets: { transport: 'http', url: guarded },
      billing: { transport: 'stdio', command: 'billing-server', trust: 'trusted' },
      staging: { ...shared('junctor', 'test-server', '--stdio'), enabled: false },
    },
    permissions: { ask: ['mcp__files__write_file'] },
  };
}

/** By the name that a person would write: where this clone lies says nothing to a reader. */
function shared(command: string, ...args: string[]): object {
  return { transport: 'stdio', command, args, trust: 'trusted', mode: 'shared' };
}

async function work(client: RawClient, home: Home): Promise<void> {
  const notes = { path: join(home.project, 'notes.md') };
  const entities = [{ name: 'release', entityType: 'task', observations: ['due on Friday'] }];
  for (let turn = 0; turn < 6; turn++) {
    await client.call(1, 'files_read_text_file', notes);
    await client.call(2, 'files_list_directory', { path: home.project });
    await client.call(3, 'memory_create_entities', { entities });
    await client.call(4, 'memory_search_nodes', { query: 'release' });
    await client.call(5, 'everything_echo', { message: 'hello' });
    if (turn % 3 === 1) await client.call(6, 'files_read_text_file', { path: join(home.project, 'missing.md') });
  }
}

/** What the page shows as of now. */
async function look(client: RawClient, home: Home): Promise<void> {
  await client.messages({ id: 'list', method: 'tools/list', params: {} });
  await client.call(1, 'files_read_text_file', { path: join(home.project, 'notes.md') });
  await client.call(2, 'memory_search_nodes', { query: 'Friday' });
}

/** The calls were made within seconds: here they lie hours apart, in their order, more of them towards the end. */
function spreadOverTheDay(file: string): void {
  using database = new DatabaseSync(file);
  const rows = database.prepare('SELECT seq FROM calls ORDER BY seq').all() as { seq: number }[];
  const set = database.prepare('UPDATE calls SET started = ? WHERE seq = ?');
  rows.forEach(({ seq }, index) => {
    const ago = DAY_MS * (1 - Math.sqrt((index + 1) / (rows.length + 1)));
    set.run(Math.round(Date.now() - ago), seq);
  });
}

async function untilAsked(hub: RunningHub): Promise<void> {
  for (let tries = 0; tries < 1200; tries++) {
    if ((await rest(hub, '/api/approvals')).body.approvals.length > 0) return;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  throw new Error('no call waits for a yes');
}
