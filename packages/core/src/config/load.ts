import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { JunctorError, sentenceOf } from '../base/error.ts';
import { readDocument } from './document.ts';
import { parseDocument, parseMcpConfig } from './parse.ts';
import { discoverMcpConfigPath, ownSurroundings, type Surroundings, userConfigPath } from './places.ts';
import type { Problem } from './problem.ts';
import type { McpConfig, McpServerDef, PermissionRules } from './schema.ts';

/** Where a definition came from; a later layer in this list wins over an earlier one. */
export type LayerName = 'user' | 'project' | 'explicit' | 'override';

export interface LoadMcpConfigOptions {
  /** A file that takes the place of the project's. */
  readonly path?: string | undefined;
  /** Servers and rules a program passes in; they win over every file. */
  readonly overrides?: unknown;
  /** No user file: only what `path`, the project and `overrides` say. */
  readonly isolated?: boolean | undefined;
  readonly surroundings?: Surroundings;
}

export interface LoadedServer {
  readonly id: string;
  readonly definition: McpServerDef;
  readonly layer: LayerName;
  readonly file: string | undefined;
}

export interface McpConfigLoadResult {
  readonly enabled: boolean;
  readonly servers: ReadonlyMap<string, LoadedServer>;
  readonly permissions: PermissionRules;
  readonly problems: readonly Problem[];
  /** The files that were read, lowest layer first. */
  readonly files: readonly string[];
}

interface Layer {
  readonly name: LayerName;
  readonly file: string | undefined;
  readonly config: McpConfig;
}

/** Reads every layer that applies and merges them by server id; a whole definition in a higher layer wins. */
export async function loadMcpConfig(options: LoadMcpConfigOptions = {}): Promise<McpConfigLoadResult> {
  const surroundings = options.surroundings ?? ownSurroundings();
  const problems: Problem[] = [];
  const layers: Layer[] = [];
  for (const { name, file, required } of await filesOf(options, surroundings)) {
    const config = await readLayer(file, required, problems);
    if (config) layers.push({ name, file, config });
  }
  if (options.overrides !== undefined) {
    layers.push({ name: 'override', file: undefined, config: parseMcpConfig(options.overrides) });
  }
  return { ...merge(layers), problems, files: layers.flatMap(layer => layer.file ?? []) };
}

interface LayerFile {
  readonly name: LayerName;
  readonly file: string;
  /** Somebody named this very file: its absence is a mistake, not a choice. */
  readonly required: boolean;
}

async function filesOf(options: LoadMcpConfigOptions, surroundings: Surroundings): Promise<LayerFile[]> {
  const files: LayerFile[] = [];
  if (!options.isolated) files.push({ name: 'user', file: await userConfigPath(surroundings), required: false });
  const explicit = options.path ?? surroundings.env.JUNCTOR_CONFIG_PATH;
  if (explicit) {
    files.push({ name: 'explicit', file: resolve(surroundings.cwd, explicit), required: true });
    return files;
  }
  const project = await discoverMcpConfigPath(surroundings);
  if (project) files.push({ name: 'project', file: project, required: true });
  return files;
}

async function readLayer(file: string, required: boolean, problems: Problem[]): Promise<McpConfig | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (!required && (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new JunctorError('config_unreadable', `Cannot read the config file ${file}.`, {
      why: sentenceOf(error),
      hint: 'check the path and its permissions',
      cause: error,
    });
  }
  const read = readDocument(file, text);
  if (!read.ok) {
    problems.push(...read.problems);
    return undefined;
  }
  const parsed = parseDocument(read.document);
  problems.push(...parsed.problems);
  return parsed.config;
}

function merge(layers: readonly Layer[]): Pick<McpConfigLoadResult, 'enabled' | 'servers' | 'permissions'> {
  const servers = new Map<string, LoadedServer>();
  for (const { name, file, config } of layers) {
    for (const [id, definition] of Object.entries(config.servers))
      servers.set(id, { id, definition, layer: name, file });
  }
  const rules = (effect: keyof PermissionRules): string[] =>
    layers.flatMap(layer => layer.config.permissions[effect] ?? []);
  return {
    enabled: layers.every(layer => layer.config.enabled),
    servers,
    // Rules of all layers count together: a project cannot take away what the person denied.
    permissions: { allow: rules('allow'), ask: rules('ask'), deny: rules('deny') },
  };
}
