/** Puts the layers on top of each other. Pure, and associative: it does not matter which two are joined first. */
import type { DialectName } from './dialects/dialect.ts';
import type { Path, Place } from './formats/document.ts';
import { describeRule } from './schema/rule-pattern.ts';
import type { ConfigFrame, McpConfig, PermissionRules } from './schema/schema.ts';
import type { McpServerDef } from './schema/server-schema.ts';

/** Highest first. Enterprise policy, where there is one, stands alone. */
export const LAYER_NAMES = [
  'enterprise',
  'override',
  'inline',
  'explicit',
  'local',
  'project',
  'user',
  'plugin',
] as const;
/** Where a definition is from, highest first. */
export type LayerName = (typeof LAYER_NAMES)[number];

export interface Layer {
  readonly name: LayerName;
  /** The file, or the variable, it was read from. */
  readonly source: string;
  /** Undefined for a layer that is no file. */
  readonly file: string | undefined;
  readonly dialect: DialectName;
  readonly config: McpConfig;
  placeOf(server: string, key?: string): Place | undefined;
  /** What the file calls a key that belongs to no server. Absent where that is the same. */
  pathInFrame?(path: Path): Path;
  /** Where a key that belongs to no server is written. */
  placeInFrame?(path: Path): Place | undefined;
}

/** One definition of a server, with where it is written. */
export interface Definition {
  /** In Junctor's notation, whatever it was written in. */
  readonly definition: McpServerDef;
  /** The layer that says so. */
  readonly layer: LayerName;
  /** The file, the variable, or `(overrides)`. */
  readonly source: string;
  /** Undefined where it stands in no file. */
  readonly file: string | undefined;
  /** The notation it was written in. */
  readonly dialect: DialectName;
  /** The one agent that its file is for; absent: every agent may have it. */
  readonly agent?: string | undefined;
  /** Line and column of the entry, or of one key of it. */
  placeOf(key?: string): Place | undefined;
}

/** An entry that only switched the server on or off. */
export interface Switch {
  readonly enabled: boolean;
  /** The entry is written wrongly: whatever it was to say, the server is off until it is mended. */
  readonly isMistake?: true;
  readonly layer: LayerName;
  readonly source: string;
  placeOf(key?: string): Place | undefined;
}

/** One server as it is written, with the layer that counts. */
export interface LoadedServer extends Definition {
  /** Its id in the config. */
  readonly id: string;
  /** The highest entry above the definition that only says `enabled`; it decides. */
  readonly switched: Switch | undefined;
  /** Definitions of lower layers that this one hides, highest first. */
  readonly hides: readonly Definition[];
}

/** Layers as one: servers by id, the rest key by key. */
export interface Merged {
  readonly servers: ReadonlyMap<string, LoadedServer>;
  /** Switches that found no definition below them yet. */
  readonly switches: ReadonlyMap<string, Switch>;
  readonly frame: ConfigFrame;
}

export const NOTHING: Merged = { servers: new Map(), switches: new Map(), frame: {} };

/** Joins layers that are given lowest first. */
export function mergeLayers(layers: readonly Layer[]): Merged {
  return layers.map(mergedFrom).reduce((low, high) => above(high, low), NOTHING);
}

export function mergedFrom(layer: Layer): Merged {
  const { name, source, file, dialect, config } = layer;
  const origin = (id: string) => ({ layer: name, source, placeOf: (key?: string) => layer.placeOf(id, key) });
  return {
    servers: new Map(
      Object.entries(config.servers).map(([id, definition]) => [
        id,
        { id, definition, file, dialect, agent: config.agent, ...origin(id), switched: undefined, hides: [] },
      ]),
    ),
    switches: new Map<string, Switch>([
      ...Object.entries(config.overlays ?? {}).map(([id, enabled]) => [id, { enabled, ...origin(id) }] as const),
      ...(config.broken ?? []).map(id => [id, { enabled: false, isMistake: true, ...origin(id) }] as const),
    ]),
    frame: frameOf(config),
  };
}

/** Puts one stack of layers on top of another. */
export function above(high: Merged, low: Merged): Merged {
  const servers = new Map<string, LoadedServer>();
  for (const [id, server] of low.servers) {
    servers.set(id, { ...server, switched: high.switches.get(id) ?? server.switched });
  }
  for (const [id, server] of high.servers) {
    const hidden = low.servers.get(id);
    servers.set(
      id,
      hidden ? { ...server, hides: [...server.hides, plainDefinition(hidden), ...hidden.hides] } : server,
    );
  }
  const switches = new Map([...low.switches, ...high.switches].filter(([id]) => !servers.has(id)));
  return { servers, switches, frame: mergeFrames(high.frame, low.frame) };
}

function plainDefinition({ definition, layer, source, file, dialect, agent, placeOf }: LoadedServer): Definition {
  return { definition, layer, source, file, dialect, agent, placeOf };
}

function frameOf(config: McpConfig): ConfigFrame {
  const { servers: _servers, overlays: _overlays, broken: _broken, agent: _agent, ...frame } = config;
  return frame;
}

/** Sections that hold for every server and every result: those of a project count only once a person approved them. */
export const SETTINGS = [
  'defaults',
  'naming',
  'model_profiles',
  'client_profiles',
  'search',
  'results',
  'catalogue',
  'health',
  'startup',
  'log',
] as const;

/** Sections whose keys are decided one by one. */
const BY_KEY = [...SETTINGS, 'bundles', 'agents', 'executors'] as const;

function mergeFrames(high: ConfigFrame, low: ConfigFrame): ConfigFrame {
  const merged: Record<string, unknown> = { ...low, ...high };
  for (const section of BY_KEY) {
    if (high[section] && low[section]) merged[section] = { ...low[section], ...high[section] };
  }
  if (high.agents && low.agents) merged.agents = mergeAgents(high.agents, low.agents);
  // Off in one layer is off: no other layer can undo it.
  if (high.enabled === false || low.enabled === false) merged.enabled = false;
  if (high.permissions && low.permissions) merged.permissions = joinRules(high.permissions, low.permissions);
  return merged;
}

type Agents = NonNullable<ConfigFrame['agents']>;

/** The higher layer defines an agent, but the rules of both count. */
function mergeAgents(high: Agents, low: Agents): Agents {
  const merged: Agents = { ...low, ...high };
  for (const [id, { permissions }] of Object.entries(low)) {
    const above = high[id];
    if (above && permissions) merged[id] = { ...above, permissions: joinRules(above.permissions ?? {}, permissions) };
  }
  return merged;
}

/** Rules of all layers count together: a project cannot take away what the person denied. */
function joinRules(high: PermissionRules, low: PermissionRules): PermissionRules {
  const effects = ['allow', 'ask', 'deny'] as const;
  const joined = effects.flatMap(effect => {
    const rules = [...(high[effect] ?? []), ...(low[effect] ?? [])];
    const distinct = new Map(rules.map(rule => [describeRule(rule), rule]));
    return rules.length > 0 ? [[effect, [...distinct.values()]] as const] : [];
  });
  return Object.fromEntries(joined);
}

/** Whether a server may run, by its own word and the switch above it. */
export function isEnabled({ definition, switched }: LoadedServer): boolean {
  return switched?.enabled ?? definition.enabled !== false;
}
