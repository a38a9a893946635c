/** Projects of one person, and clients of `junctor connect` that work in them. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Home, JUNCTOR, junctor, type RunningHub } from '@junctor/testkit';
import type { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'vitest';
import { obligingClient } from '../command-line/sdk-client.ts';

/** A folder with a project file whose servers a person has approved. */
export async function makeProject(home: Home, name: string, servers: Record<string, object>): Promise<string> {
  const folder = join(home.path, name);
  await mkdir(folder, { recursive: true });
  await writeProject(folder, servers);
  await approve(home, folder, Object.keys(servers));
  return folder;
}

export async function writeProject(folder: string, servers: Record<string, object>): Promise<void> {
  await writeFile(join(folder, 'junctor.json'), JSON.stringify({ version: 1, servers }));
}

export async function approve(home: Home, folder: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) expect(await junctor(home, ['trust', 'add', id], { cwd: folder })).toMatchObject({ code: 0 });
}

/** Registers the folder as a person does, and names the project. */
export async function registeredIn(hub: Pick<RunningHub, 'fetch'>, folder: string): Promise<string> {
  const answer = await hub.fetch('/api/projects', {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ folder }) },
  });
  return ((await answer.json()) as { id: string }).id;
}

export interface ProjectClient extends AsyncDisposable {
  readonly client: Client;
  /** The servers whose tools it has, sorted. */
  servers(): Promise<string[]>;
  stderr(): string;
}

export async function clientIn(
  home: Home,
  folder: string,
  { agent = 'codex', more = [] as readonly string[] } = {},
): Promise<ProjectClient> {
  const client = obligingClient('legacy');
  const args = [JUNCTOR, 'connect', agent, '--data', home.data, '--hub-port', '0', ...more];
  const transport = new StdioClientTransport({
    ...{ command: process.execPath, args, env: home.env, cwd: folder, stderr: 'pipe' },
  });
  let said = '';
  transport.stderr?.on('data', chunk => {
    said += chunk;
  });
  await client.connect(transport);
  return {
    client,
    async servers() {
      const { tools } = await client.listTools();
      return [...new Set(tools.map(({ name }) => name.split('_')[0] as string))].sort();
    },
    stderr: () => said,
    [Symbol.asyncDispose]: () => client.close(),
  };
}
