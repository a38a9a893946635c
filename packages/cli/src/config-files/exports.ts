/** What an agent is to have in its file: each of your servers, or the one entry that leads to the hub. */

import { resolve as resolvePath } from 'node:path';
import { type McpConfigLoadResult, type McpServerDef, type Resolution, resolve } from '@junctor/core/config-read';
import {
  connectCommand,
  type Dialect,
  hideSecrets,
  hubEntry,
  JUNCTOR_BY_NAME,
  type ProgramCommand,
  spokenBy,
  USUAL_HUB_URL,
  type WantedServer,
} from '@junctor/core/config-write';
import { dataDirectory, JunctorError } from '@junctor/core/light';
import type { HubFile } from '@junctor/hub';
import type { Context } from '../context.ts';
import { ownProgram } from '../own-program.ts';
import { approvedConfig } from './approved-config.ts';
import { hubThere } from './hub-there.ts';

export interface Exports {
  readonly wanted: readonly WantedServer[];
  readonly leftOut: readonly { readonly id: string; readonly because: string }[];
  /** Where a hub usually is, and none is now. */
  readonly supposedHub?: string;
  /** Why the agent does not reach the hub from where it runs, and what to do. */
  readonly obstacle?: string;
}

export interface ExportOptions {
  readonly via: 'hub' | 'direct';
  readonly executor?: string | undefined;
  /** The folder whose servers the hub gives to the agent. */
  readonly project?: string | undefined;
}

export function exportsFor(context: Context, dialect: Dialect, options: ExportOptions): Promise<Exports> {
  return options.via === 'hub' ? throughHub(context, dialect, options) : direct(context, dialect, options);
}

/** The running hub of this data directory, else where one usually is; as the executor reaches it. */
async function throughHub(context: Context, dialect: Dialect, options: ExportOptions): Promise<Exports> {
  const { executor, project } = options;
  const running = await runningHub(context);
  const about = { agent: dialect.name, executor, hub: running, url: running?.url ?? USUAL_HUB_URL };
  const { url, obstacle } = await hubThere(context, about);
  const { command, args } = connectOn(executor, context, dialect.name);
  const connect = project === undefined ? args : [...args, '--project', resolvePath(context.surroundings.cwd, project)];
  const id = project === undefined ? undefined : await projectAt(context, running, project);
  const entry = entryIn(id, hubEntry(dialect, url, { command, args: connect }));
  // A command starts a hub where none runs.
  const isUrl = 'url' in entry.definition;
  const supposed = running === undefined && isUrl ? { supposedHub: url } : {};
  return { wanted: [entry], leftOut: [], ...supposed, ...(isUrl && obstacle !== undefined ? { obstacle } : {}) };
}

/** On another executor neither this program nor this data directory is there. */
function connectOn(executor: string | undefined, { surroundings, global }: Context, agent: string): ProgramCommand {
  if (executor !== undefined && executor !== 'local') return connectCommand(JUNCTOR_BY_NAME, agent, undefined);
  const data = dataDirectory(surroundings, global.data);
  // A client does not have the variables of this terminal.
  const { JUNCTOR_DATA: _data, ...env } = surroundings.env;
  return connectCommand(ownProgram(), agent, data === dataDirectory({ ...surroundings, env }) ? undefined : data);
}

/** The same entry for the endpoint of one project. A command says itself where it works. */
export function entryIn(project: string | null | undefined, { id, definition }: WantedServer): WantedServer {
  if (project === null || project === undefined || !('url' in definition)) return { id, definition };
  return { id, definition: { ...definition, url: `${definition.url}/w/${project}` } };
}

/** Where an agent reaches the hub that runs now; undefined where none does, or the agent gets a command instead. */
export async function hubAddress(
  context: Context,
  dialect: Dialect,
  executor: string | undefined,
): Promise<string | undefined> {
  if (!(await runningHub(context))) return undefined;
  const { wanted } = await throughHub(context, dialect, { via: 'hub', executor });
  return wanted.flatMap(({ definition }) => ('url' in definition ? definition.url : []))[0];
}

async function runningHub({ surroundings, global }: Context): Promise<HubFile | undefined> {
  const { findHub } = await import('@junctor/hub');
  return findHub(dataDirectory(surroundings, global.data));
}

/** Only a hub gives out ids of projects: an address cannot be written without it. */
async function projectAt(context: Context, hub: HubFile | undefined, folder: string): Promise<string | null> {
  const { askProject } = await import('../hub/open-pipe.ts');
  const { workPlace } = await import('../hub/work-place.ts');
  const answer = hub && (await askProject(hub, workPlace(context, folder)));
  if (answer) return answer.id;
  throw new JunctorError('hub_required', 'The address of a project is given out by a hub, and none runs.', {
    hint: `start one: ${context.commands.line('hub')}`,
  });
}

/** What nobody approved is not handed on to an agent, and no secret is copied into a file of another program. */
async function direct(context: Context, dialect: Dialect, { executor }: ExportOptions): Promise<Exports> {
  // On another executor it was told when its place was looked up.
  const { config, trust } = await approvedConfig(context, executor === undefined ? 'telling' : undefined);
  const resolution = resolve({ config, agent: dialect.name, executor });
  const servers = [...resolution.servers.keys()].map(id => ({ id, definition: definitionOn(config, resolution, id) }));
  const withheld = servers.flatMap(({ id, definition }) => {
    if (trust.get(id) === 'waiting') return [{ id, because: `it waits for your approval: junctor trust add ${id}` }];
    const [secret] = hideSecrets('', id, definition).secrets;
    const key = secret?.name.split('.').at(-2);
    if (secret)
      return [{ id, because: `it holds the secret ${key} as plain text; put it into a variable, as \${${key}}` }];
    const isBundled = Object.values(config.frame.bundles ?? {}).some(({ serverId }) => serverId === id);
    return isBundled ? [{ id, because: 'a bundle limits its tools, which only Junctor can: --via hub' }] : [];
  });
  const out = new Set(withheld.map(({ id }) => id));
  const spoken = spokenBy(
    dialect,
    servers.filter(({ id }) => !out.has(id)),
  );
  const refused = resolution.leftOut.filter(({ kind }) => kind !== 'off').map(({ id, because }) => ({ id, because }));
  return { wanted: spoken.wanted, leftOut: [...refused, ...withheld, ...spoken.leftOut] };
}

/** As it is written, but for what the executor puts in its place. */
function definitionOn(config: McpConfigLoadResult, { servers }: Resolution, id: string): McpServerDef {
  const { definition } = config.servers.get(id) ?? {};
  const { endpoint } = servers.get(id) ?? {};
  if (!definition || !endpoint) throw new Error(`server '${id}' is resolved and not configured`);
  const env = endpoint.transport === 'stdio' ? endpoint.env : endpoint.program?.env;
  const injected = env && Object.keys(env).length > 0 ? { env: { ...env } } : {};
  if (endpoint.transport === 'stdio' || definition.transport === 'stdio') return { ...definition, ...injected };
  return { ...definition, ...injected, url: endpoint.url };
}
