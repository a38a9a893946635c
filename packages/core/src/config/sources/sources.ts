/** Every place a config may come from on this run, lowest layer first. Decides what is read; reads only directories. */
import { readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { DialectName } from '../dialects/dialect.ts';
import type { LayerName } from '../layers.ts';
import {
  discoverMcpConfigPath,
  foreignUserPaths,
  localConfigPath,
  type ProjectFiles,
  passedOver,
  policyPath,
  projectFolder,
  type Surroundings,
  userConfigDirectory,
  userConfigPath,
} from './places.ts';

export interface Source {
  readonly layer: LayerName;
  /** A file to read, or the text of a variable. */
  readonly from: { readonly file: string } | { readonly variable: string; readonly text: string };
  /** Somebody named this very file: its absence is a mistake, not a choice. */
  readonly required: boolean;
  readonly dialect?: DialectName | undefined;
}

export interface SourceOptions {
  readonly path?: string | undefined;
  readonly dialect?: DialectName | undefined;
  readonly isolated?: boolean | undefined;
  readonly withoutDiscovery?: boolean | undefined;
  readonly projectFiles?: ProjectFiles | undefined;
}

/** Variables that name the explicit file, ours first. */
const PATH_VARIABLES: readonly (readonly [string, DialectName | undefined])[] = [
  ['JUNCTOR_CONFIG_PATH', undefined],
  ['CODEX_TOOLLOOP_MCP_CONFIG_PATH', 'toolloop'],
  ['CODE_AGENT_MCP_CONFIG_PATH', 'code-agent'],
];

/** Variables that hold a config, ours highest. */
const INLINE_VARIABLES: readonly (readonly [string, DialectName | undefined])[] = [
  ['JUNCTOR_CONFIG_JSON', undefined],
  ['CODEX_TOOLLOOP_MCP_CONFIG_JSON', 'toolloop'],
  ['CODE_AGENT_MCP_SERVERS', 'code-agent'],
];

export interface Sources {
  readonly counting: readonly Source[];
  /** Files beside the project's that another one keeps from counting. */
  readonly passedOver: readonly string[];
}

export async function sourcesOf(options: SourceOptions, surroundings: Surroundings): Promise<Sources> {
  const policy = await policyPath(surroundings);
  if (policy) return { counting: [{ layer: 'enterprise', from: { file: policy }, required: true }], passedOver: [] };
  const explicit = explicitSource(options, surroundings);
  const discovers = !explicit && !options.withoutDiscovery;
  const project = discovers ? await discoverMcpConfigPath(surroundings, options) : undefined;
  const local = discovers ? await localConfigPath(surroundings, project, options) : undefined;
  const counting = [
    ...(options.isolated ? [] : await pluginSources(surroundings, project)),
    ...(options.isolated ? [] : await userSources(surroundings)),
    ...optional('project', project),
    ...optional('local', local),
    ...(explicit ? [explicit] : []),
    ...(options.withoutDiscovery ? [] : inlineSources(options, surroundings)),
  ];
  return { counting, passedOver: options.isolated ? [] : passedOver(surroundings, { project, local }) };
}

/** Whether somebody named the config file: then it counts in every folder, and no project file does. */
export function namesConfigFile(options: SourceOptions, surroundings: Surroundings): boolean {
  return explicitSource(options, surroundings) !== undefined;
}

function explicitSource(options: SourceOptions, { cwd, env }: Surroundings): Source | undefined {
  const { path, dialect, isolated, withoutDiscovery } = options;
  if (path) return { layer: 'explicit', from: { file: resolve(cwd, path) }, required: true, dialect };
  if (withoutDiscovery) return undefined;
  const variables = isolated ? PATH_VARIABLES.slice(0, 1) : PATH_VARIABLES;
  for (const [variable, own] of variables) {
    const file = env[variable];
    if (file) return { layer: 'explicit', from: { file: resolve(cwd, file) }, required: true, dialect: dialect ?? own };
  }
  return undefined;
}

function inlineSources({ isolated }: SourceOptions, { env }: Surroundings): Source[] {
  const variables = isolated ? INLINE_VARIABLES.slice(0, 1) : INLINE_VARIABLES;
  return variables.toReversed().flatMap(([variable, dialect]): Source[] => {
    const text = env[variable];
    return text ? [{ layer: 'inline', from: { variable, text }, required: true, dialect }] : [];
  });
}

async function userSources(surroundings: Surroundings): Promise<Source[]> {
  const foreign = await foreignUserPaths(surroundings);
  return [
    ...foreign.toReversed().map(({ file, required }): Source => ({ layer: 'user', from: { file }, required })),
    { layer: 'user', from: { file: await userConfigPath(surroundings) }, required: false },
  ];
}

/** `plugins/<name>/plugin.json` of the person, then of the project. */
async function pluginSources(surroundings: Surroundings, project: string | undefined): Promise<Source[]> {
  const homes = [userConfigDirectory(surroundings), ...(project ? [join(projectFolder(project), '.junctor')] : [])];
  const found: Source[] = [];
  for (const home of homes) {
    const folder = join(home, 'plugins');
    const plugins = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const plugin of plugins
      .filter(entry => entry.isDirectory())
      .map(entry => entry.name)
      .sort()) {
      found.push({ layer: 'plugin', from: { file: join(folder, plugin, 'plugin.json') }, required: false });
    }
  }
  return found;
}

function optional(layer: LayerName, file: string | undefined): Source[] {
  return file ? [{ layer, from: { file }, required: true }] : [];
}

/** Whether a definition came with the project, and so from whoever wrote the project, and not from this person. */
export function cameWithProject(layer: LayerName, file: string | undefined, surroundings: Surroundings): boolean {
  if (layer === 'project' || layer === 'local') return true;
  if (layer !== 'plugin' || file === undefined) return false;
  return dirname(dirname(dirname(file))) !== userConfigDirectory(surroundings);
}
