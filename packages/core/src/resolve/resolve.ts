/**
 * What one agent may use on one executor: agent × executor × session → servers, with a reason for every one left out. A
 * pure function: the same answer for the command line, the hub, the page and a test.
 */
import { agentId } from '../config/agent-id.ts';
import { isEnabled, type LoadedServer } from '../config/layers.ts';
import type { McpConfigLoadResult } from '../config/load.ts';
import type { BundleDef, ConfigFrame } from '../config/schema/schema.ts';
import type { McpServerDef } from '../config/schema/server-schema.ts';
import type { TransportWord } from '../config/schema/server-words.ts';
import { configMistake, entryMistake } from './config-mistake.ts';
import { whyNoPlace } from './no-place.ts';
import { agentNamed, type ExecutorPolicy, isKnownExecutor, policyFor } from './policy.ts';
import { plainServer, type ResolvedMcpServer } from './resolved-mcp-server.ts';
import type { InstanceMode, LeftOut, ResolvedServer, Roster } from './roster.ts';
import { resolveServer, urlOn } from './server.ts';

/** For whom, and where, servers are to be used. */
export interface ResolveInput {
  /** As `loadMcpConfig` gives it. */
  readonly config: Pick<McpConfigLoadResult, 'enabled' | 'servers' | 'frame'> &
    Partial<Pick<McpConfigLoadResult, 'problems'>>;
  /** The id of an agent, upper or lower case. Default: nobody in particular. */
  readonly agent?: string | undefined;
  /** Default `local`. */
  readonly executor?: string | undefined;
  /** Whose run it is: servers with mode per_session have an instance for each. */
  readonly session?: string | undefined;
  /** Addresses as whoever runs on this machine needs them: not rewritten. Default false. */
  readonly fromHere?: boolean | undefined;
  /**
   * Whether programs are started for this resolution. Default false: a server whose executor does not say where programs start
   * is listed with a warning, since somebody else may start it there; with true it is left out.
   */
  readonly starts?: boolean | undefined;
  /** Servers that cannot be used for reasons found elsewhere: a missing variable, no approval yet. */
  readonly unusable?: ReadonlyMap<string, Omit<LeftOut, 'id'>> | undefined;
  /** How long a call may take where no server says otherwise. */
  readonly toolTimeoutMs?: number | undefined;
}

/** Something to know about one server. */
export interface Notice {
  /** Its id in the config. */
  readonly server: string;
  /** A sentence. */
  readonly message: string;
}

/** Which servers may be used here, and why the others may not. */
export interface Resolution extends Roster {
  /** As it was asked for, in lower case. */
  readonly agent: string | undefined;
  /** Where servers run. */
  readonly executor: string;
  /** Whose run it is. */
  readonly session: string | undefined;
  /** The servers as plain values. */
  readonly list: readonly ResolvedMcpServer[];
  /** What a person should know, though the run goes on. */
  readonly warnings: readonly Notice[];
  /** What has to be mended before that server can be used. */
  readonly errors: readonly Notice[];
}

/** Decides which servers an agent gets on an executor, how each is reached, and why the others are left out. Pure. */
export function resolve(input: ResolveInput): Resolution {
  const { config, executor = 'local', session } = input;
  const agent = input.agent === undefined ? undefined : agentId(input.agent);
  const policy = policyFor(config.frame, executor, agent);
  const servers = new Map<string, ResolvedServer>();
  const leftOut: LeftOut[] = [];
  const warnings: Notice[] = [];
  const errors: Notice[] = [];
  const mistake = configMistake(config, agent);
  for (const server of config.servers.values()) {
    const { id, definition } = server;
    const absent = whyAbsent(server, input, agent);
    const off = absent === undefined ? undefined : { because: absent, kind: 'off' as const };
    const reason = mistake ?? entryMistake(config, server) ?? off ?? input.unusable?.get(id);
    if (reason) {
      leftOut.push({ id, ...reason });
      continue;
    }
    if (!allows(policy, definition.transport)) {
      const message = `transport ${definition.transport} is not allowed by executor '${executor}'`;
      warnings.push({ server: id, message });
      leftOut.push({ id, because: message, kind: 'policy' });
      continue;
    }
    if (definition.command !== undefined && !isKnownExecutor(config.frame, executor, agent)) {
      const message = `nobody says what executor '${executor}' is, so its program cannot be started there`;
      errors.push({ server: id, message });
      leftOut.push({ id, because: message, kind: 'policy' });
      continue;
    }
    const mode = modeOf(definition);
    if (mode === 'shared' && definition.transport === 'stdio' && !policy.stdio_proxy) {
      const message = `a shared stdio server needs the stdio proxy, which executor '${executor}' does not have on`;
      errors.push({ server: id, message });
      leftOut.push({ id, because: message, kind: 'policy' });
      continue;
    }
    const noPlace = definition.command === undefined ? undefined : whyNoPlace(executor, policy);
    if (noPlace && input.starts) {
      errors.push({ server: id, message: noticeOf(noPlace) });
      leftOut.push({ id, ...noPlace });
      continue;
    }
    if (noPlace) warnings.push({ server: id, message: noticeOf(noPlace) });
    const bundles = bundlesOf(config.frame, id, definition.trust === 'trusted');
    const { fromHere = false, toolTimeoutMs } = input;
    const { defaults } = config.frame;
    const { dialect, layer } = server;
    const context = { defaults, executor, policy, fromHere, mode, bundles, toolTimeoutMs, dialect, layer };
    servers.set(id, resolveServer(id, definition, context));
  }
  const list = [...servers.values()].map(server => {
    const { definition } = config.servers.get(server.id) ?? {};
    const isRemote = definition !== undefined && 'url' in definition && definition.url !== undefined;
    return plainServer(server, isRemote ? urlOn(definition, { executor, policy, fromHere: true }) : undefined);
  });
  return { agent, executor, session, servers, list, leftOut, warnings, errors };
}

function noticeOf({ because, next }: Omit<LeftOut, 'id'>): string {
  return next === undefined ? because : `${because}: ${next.hint}`;
}

/** An untrusted server's bundle has to name its tools: one that does not offers none. */
function bundlesOf(frame: ConfigFrame, id: string, trusted: boolean): BundleDef[] {
  return Object.values(frame.bundles ?? {})
    .filter(({ serverId }) => serverId === id)
    .map(bundle => (trusted || bundle.allowTools !== undefined ? bundle : { ...bundle, allowTools: [] }));
}

function whyAbsent(server: LoadedServer, { config }: ResolveInput, agent: string | undefined): string | undefined {
  if (!config.enabled) return 'MCP is switched off: enabled is false at the top of the config';
  const own = agentNamed(config.frame, agent);
  if (own?.enabled === false) return `MCP is switched off for agent '${agent}'`;
  if (!isEnabled(server)) return server.switched ? `switched off in ${server.switched.source}` : 'enabled is false';
  if (own?.servers && !own.servers.includes(server.id)) return `agent '${agent}' does not list it`;
  if (agent !== undefined && server.agent !== undefined && server.agent !== agent)
    return `its file is for agent '${server.agent}' alone`;
  return undefined;
}

function allows(policy: ExecutorPolicy, transport: TransportWord): boolean {
  return policy[`allow_${transport}`];
}

/** auto: what holds a process stays with its session, what is reached by an address is shared. */
export function modeOf({ mode = 'auto', transport }: Pick<McpServerDef, 'mode' | 'transport'>): InstanceMode {
  if (mode !== 'auto') return mode;
  return transport === 'stdio' ? 'per_session' : 'shared';
}
