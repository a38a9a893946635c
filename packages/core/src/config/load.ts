import { JunctorError, sentenceOf } from '../base/error.ts';
import { readNamedFile, readRegularFile } from '../base/files/regular-file.ts';
import { checkBundles } from './bundles.ts';
import type { DialectName } from './dialects/dialect.ts';
import { type Layer, type LayerName, type LoadedServer, mergeLayers } from './layers.ts';
import { idleLaunchKeys } from './notices.ts';
import { describeProblem, type Problem } from './problem.ts';
import { type ConfigReading, type ReadResult, readConfig, readValue } from './reading/read.ts';
import type { ConfigFrame } from './schema/schema.ts';
import type { ConfigValue } from './schema/written-config.ts';
import { ownSurroundings, type ProjectFiles, type Surroundings } from './sources/places.ts';
import { type Source, sourcesOf } from './sources/sources.ts';
import { checkRules } from './validate/rules-check.ts';

/** Which files count, and what a program puts above them. */
export interface LoadMcpConfigOptions {
  /** A file that takes the place of the project and local files. */
  readonly path?: string | undefined;
  /** The dialect of that file, where it fits several. */
  readonly dialect?: DialectName | undefined;
  /**
   * Servers and rules a program passes in; they win over every file but an enterprise policy. A function is asked each
   * time the config is read, and told what the files say, lowest layer first.
   */
  readonly overrides?: ConfigValue | ((files: readonly Layer[]) => ConfigValue) | undefined;
  /** No user, plugin or foreign files: only what `path`, the project's own files and `overrides` say. */
  readonly isolated?: boolean | undefined;
  /** No project or local file is looked for. */
  readonly withoutDiscovery?: boolean | undefined;
  /** Where project and local files are looked for. Default: from the working directory upwards. */
  readonly projectFiles?: ProjectFiles | undefined;
  /** Any problem at all fails the load. */
  readonly strict?: boolean | undefined;
  /** The working directory, the environment and the home that count. Default: those of this process. */
  readonly surroundings?: Surroundings | undefined;
}

/** What all layers say together. */
export interface McpConfigLoadResult {
  /** false: no server is connected, whatever stands in `servers`. */
  readonly enabled: boolean;
  /** By id. */
  readonly servers: ReadonlyMap<string, LoadedServer>;
  /** Everything but the servers, layer over layer. */
  readonly frame: ConfigFrame;
  /** What is written wrongly, each with its place and how to mend it. */
  readonly problems: readonly Problem[];
  /** What is good to know and no mistake: servers of files that do not count, keys without effect. Sentences. */
  readonly notices: readonly string[];
  /** What was read, lowest layer first. */
  readonly layers: readonly Layer[];
  /** The files among it. */
  readonly files: readonly string[];
}

/** Reads every layer that applies and merges them by server id; a whole definition in a higher layer wins. */
export async function loadMcpConfig(options: LoadMcpConfigOptions = {}): Promise<McpConfigLoadResult> {
  const surroundings = options.surroundings ?? ownSurroundings();
  const { home } = surroundings;
  const problems: Problem[] = [];
  const layers: Layer[] = [];
  const { counting: sources, passedOver } = await sourcesOf(options, surroundings);
  // All files at once: what is slow about them is waiting.
  const readings = await Promise.all(sources.map(source => readSource(source, home)));
  readings.forEach((result, index) => {
    const source = sources[index] as Source;
    if (result) collect(result, problems, reading => layers.push(layerOf(source, reading)));
    if (source.layer === 'enterprise' && result) refuseBrokenPolicy(result);
  });
  if (options.overrides !== undefined && layers[0]?.name !== 'enterprise') {
    const { overrides } = options;
    const value = typeof overrides === 'function' ? overrides(layers) : overrides;
    const document = { file: '(overrides)', value, locate: () => ({ line: 1, column: 1 }) };
    const unplaced: Problem[] = [];
    collect(await readValue(document, { home }), unplaced, reading => layers.push(overrideLayer(reading)));
    // A value has no lines.
    problems.push(...unplaced.map(({ line: _line, column: _column, ...problem }) => problem));
  }
  const { servers, frame, switches } = mergeLayers(layers);
  for (const [id, entry] of switches)
    if (!entry.isMistake) problems.push(lonelySwitch(id, entry.source, entry.placeOf('enabled')));
  problems.push(...checkBundles(layers, servers), ...checkRules(layers, servers), ...wrongToolTimeout(surroundings));
  if (options.strict && problems.length > 0) throw invalid(problems);
  return {
    enabled: frame.enabled !== false,
    servers,
    frame,
    problems,
    notices: [...(await unreadServers(passedOver, layers, servers, home)), ...idleLaunchKeys(servers.values())],
    layers,
    files: layers.flatMap(layer => layer.file ?? []),
  };
}

/** A server that is written wrongly in every layer that names it: it has no definition, but it is there. */
export interface InvalidServer {
  readonly id: string;
  readonly layer: LayerName;
  readonly file: string;
  /** What is wrong, as a sentence. */
  readonly message: string;
}

export function invalidServers({
  problems,
  servers,
  layers,
}: Pick<McpConfigLoadResult, 'problems' | 'servers' | 'layers'>): InvalidServer[] {
  const byId = new Map(
    problems.flatMap(problem =>
      problem.server === undefined || servers.has(problem.server) ? [] : [[problem.server, problem] as const],
    ),
  );
  return [...byId].map(([id, { file, message }]) => {
    const layer = layers.find(one => one.source === file)?.name ?? 'override';
    return { id, layer, file, message };
  });
}

/** Of several project files in one folder one counts. Servers that only the others define are missing, and people wonder. */
async function unreadServers(
  files: readonly string[],
  layers: readonly Layer[],
  servers: ReadonlyMap<string, LoadedServer>,
  home: string,
): Promise<string[]> {
  const notices = files.map(async file => {
    const read = await readSource({ layer: 'project', from: { file }, required: false }, home).catch(() => undefined);
    const ids = read?.ok ? Object.keys(read.reading.config.servers).filter(id => !servers.has(id)) : [];
    const counting = (layers.find(({ name }) => name === 'project') ?? layers.find(({ name }) => name === 'local'))
      ?.source;
    if (ids.length === 0) return [];
    const named = ids.map(id => `'${id}'`).join(', ');
    return [`${file} is not read: ${counting} counts in this folder. Only the former defines ${named}.`];
  });
  return (await Promise.all(notices)).flat();
}

/** Not a number of milliseconds: without a word, calls would have another limit than the one somebody set. */
function wrongToolTimeout({ env }: Surroundings): Problem[] {
  const { MCP_TOOL_TIMEOUT: written } = env;
  if (!written || toolTimeoutIn(env) !== undefined) return [];
  return [
    {
      file: '$MCP_TOOL_TIMEOUT',
      path: '',
      message: `MCP_TOOL_TIMEOUT is not a number of milliseconds above 0, and does not count. Found ${JSON.stringify(written.slice(0, 40))}.`,
      expected: 'milliseconds, such as 600000',
      fix: 'Set it to milliseconds, such as 600000 for 10 minutes.',
    },
  ];
}

/** `MCP_TOOL_TIMEOUT`: how long a tool call may take where the config says nothing. */
export function toolTimeoutIn({ MCP_TOOL_TIMEOUT: written }: Surroundings['env']): number | undefined {
  const ms = Number(written);
  return written && Number.isFinite(ms) && ms > 0 ? ms : undefined;
}

function collect(result: ReadResult, problems: Problem[], keep: (reading: ConfigReading) => void): void {
  problems.push(...(result.ok ? result.reading.problems : result.problems));
  if (result.ok) keep(result.reading);
}

async function readSource({ layer, from, required, dialect }: Source, home: string): Promise<ReadResult | undefined> {
  if ('variable' in from) return readConfig(`$${from.variable}`, from.text, { dialect, home });
  const text = await readText(from.file, required, { isNamed: layer === 'explicit' });
  return text === undefined ? undefined : readConfig(from.file, text, { dialect, home });
}

/** The text of a config file. Undefined when it does not exist and need not. `isNamed`: a person named it, so it may be a pipe. */
export async function readText(
  file: string,
  required: boolean,
  { isNamed = false }: { readonly isNamed?: boolean } = {},
): Promise<string | undefined> {
  try {
    return (await (isNamed ? readNamedFile(file) : readRegularFile(file))).toString('utf8');
  } catch (error) {
    if (!required && (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new JunctorError('config_unreadable', `Cannot read the config file ${file}.`, {
      why: sentenceOf(error),
      hint: HINT_FOR_UNREADABLE[(error as NodeJS.ErrnoException).code ?? ''] ?? 'check the path and its permissions',
      cause: error,
    });
  }
}

const HINT_FOR_UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'check the path: no such file exists',
  EISDIR: 'give the path of a file: this is a directory',
  EACCES: 'let yourself read it: chmod u+r',
  ELOOP: 'mend the symbolic link: it leads back to itself',
};

function layerOf(source: Source, reading: ConfigReading): Layer {
  const { from, layer } = source;
  const file = 'file' in from ? from.file : undefined;
  const name = 'file' in from ? from.file : `$${from.variable}`;
  return {
    name: layer,
    source: name,
    file,
    dialect: reading.dialect,
    config: reading.config,
    placeOf: reading.placeOf,
    ...(reading.pathInFrame ? { pathInFrame: reading.pathInFrame } : {}),
    placeInFrame: reading.placeInFrame,
  };
}

function overrideLayer(reading: ConfigReading): Layer {
  const { dialect, config } = reading;
  return { name: 'override', source: '(overrides)', file: undefined, dialect, config, placeOf: () => undefined };
}

function lonelySwitch(id: string, file: string, place: { line: number; column: number } | undefined): Problem {
  return {
    file,
    ...place,
    path: `servers.${id}`,
    server: id,
    message: `'${id}' only says 'enabled', and no lower layer defines it.`,
    fix: 'Define the server here, or remove the entry.',
  };
}

function invalid(problems: readonly Problem[]): JunctorError {
  return new JunctorError('config_invalid', problems.map(describeProblem).join('\n'), {
    hint: 'mend what is named, or leave out strict to go on without these servers',
    command: 'mend what is named, or leave out --strict to go on without these servers',
  });
}

/** A policy must hold as a whole; only a single bad server in it costs no more than that server. */
function refuseBrokenPolicy(result: ReadResult): void {
  const problems = result.ok ? result.reading.problems.filter(({ server }) => server === undefined) : result.problems;
  if (problems.length > 0) throw brokenPolicy(problems);
}

/** Without the policy nobody knows what is allowed: nothing is. */
function brokenPolicy(problems: readonly Problem[]): JunctorError {
  return new JunctorError('config_invalid', `The policy of your organisation cannot be read.`, {
    why: problems.map(describeProblem).join('\n'),
    hint: 'tell whoever maintains it; until then no server is used',
  });
}
