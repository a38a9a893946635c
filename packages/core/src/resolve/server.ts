/** One server with every default filled in. Pure. */
import { canonicalJson } from '../base/json/canonical-json.ts';
import { inEveryBundle } from '../config/bundles.ts';
import type { DialectName } from '../config/dialects/dialect.ts';
import type { LayerName } from '../config/layers.ts';
import type { BundleDef, ConfigFrame } from '../config/schema/schema.ts';
import type { McpServerDef } from '../config/schema/server-schema.ts';
import { toolFilter } from '../config/tool-filter.ts';
import { toolLimits } from '../config/tool-limits.ts';
import type { ExecutorPolicy } from './policy.ts';
import type { InstanceMode, RemoteEndpoint, ResolvedServer, StdioEndpoint, Timeouts } from './roster.ts';
import { serviceAt } from './service-name.ts';
import { type Site, siteOf } from './site.ts';
import { rewriteUrl } from './url-rewrite.ts';

const DEFAULT_TIMEOUTS = {
  connectMs: 60_000,
  requestMs: 30_000,
};

const DEFAULT_MAX_MESSAGE_BYTES = 128 * 1024 * 1024;

export interface ResolveContext {
  readonly defaults: ConfigFrame['defaults'];
  readonly executor: string;
  readonly policy: ExecutorPolicy;
  /** Whether its URL is for whoever runs on this machine, not there. */
  readonly fromHere: boolean;
  readonly mode: InstanceMode;
  /** The bundles that select from its tools. */
  readonly bundles: readonly BundleDef[];
  /** MCP_TOOL_TIMEOUT: the total time of a call, where the config names none. */
  readonly toolTimeoutMs?: number | undefined;
  /** The format it is written in. */
  readonly dialect?: DialectName | undefined;
  /** The layer that defines it. */
  readonly layer?: LayerName | undefined;
}

export function resolveServer(id: string, definition: McpServerDef, context: ResolveContext): ResolvedServer {
  const endpoint = endpointOf(definition, context);
  const connected = {
    id,
    mode: context.mode,
    endpoint,
    site: siteFor(endpoint, context),
    timeouts: timeoutsOf(definition, context),
    maxMessageBytes: definition.max_message_bytes ?? DEFAULT_MAX_MESSAGE_BYTES,
    protocol: definition.protocol ?? 'auto',
    debug: definition.debug ?? context.defaults?.debug ?? false,
  };
  const offered = { written: definition.transport, trusted: definition.trust === 'trusted' };
  const { bundles } = context;
  // Which key set a limit matters to messages alone: servers with equal limits are equal.
  const { keys: _keys, ...limits } = connected.timeouts;
  const connection = canonicalJson({ ...connected, timeouts: limits });
  const listed = toolFilter(definition);
  return {
    ...connected,
    ...offered,
    connection,
    definition: `${connection} ${canonicalJson({ ...offered, tools: definition.tools, bundles })}`,
    searched: bundles.some(({ mode }) => mode === 'meta'),
    filtered: definition.tools !== undefined || bundles.length > 0,
    offers: tool => listed(tool) && inEveryBundle(tool, bundles),
  };
}

function timeoutsOf(definition: McpServerDef, context: ResolveContext): Timeouts {
  const { defaults, dialect, toolTimeoutMs: variableMs } = context;
  const tool = toolLimits({ definition, defaults, dialect, variableMs });
  return {
    connectMs: definition.connect_timeout_ms ?? defaults?.connect_timeout_ms ?? DEFAULT_TIMEOUTS.connectMs,
    requestMs: definition.request_timeout_ms ?? defaults?.request_timeout_ms ?? DEFAULT_TIMEOUTS.requestMs,
    toolIdleMs: tool.idleMs,
    toolTotalMs: tool.totalMs,
    perToolMs: definition.tool_timeouts_ms ?? {},
    idleIsWritten: tool.idleIsWritten,
    keys: tool.keys,
  };
}

function endpointOf(definition: McpServerDef, context: ResolveContext): StdioEndpoint | RemoteEndpoint {
  const { executor, policy, fromHere } = context;
  const { command, args = [], cwd } = definition;
  const env = withInjected(definition.env ?? {}, policy);
  if (definition.transport === 'stdio') return { transport: 'stdio', command: definition.command, args, cwd, env };
  return {
    transport: definition.transport === 'streamable_http' ? 'http' : definition.transport,
    url: urlOn(definition, { executor, policy, fromHere }),
    headers: definition.headers ?? {},
    program: command === undefined ? undefined : { command, args, cwd, env },
    signIn: {
      oauth: definition.oauth ?? {},
      provider: definition.auth_provider,
      account: definition.account,
      ...(context.layer !== undefined && OF_PROJECTS.has(context.layer) ? { ofProject: true as const } : {}),
    },
  };
}

/**
 * The address of a server for those who run on the executor or, with `fromHere`, for a hub on this machine that serves them. A
 * rewrite names hosts as that executor sees them: the hub uses it only where the executor is this machine.
 */
export function urlOn(
  { url, command }: Extract<McpServerDef, { url: string }>,
  { executor, policy, fromHere }: Pick<ResolveContext, 'executor' | 'policy' | 'fromHere'>,
): string {
  const site = siteOf(executor, policy);
  // A program that we start there is reached from here.
  if (command !== undefined && site !== undefined) return url;
  const rewritten = rewriteUrl(url, policy.http_url_rewrite);
  const isThisMachine = executor === 'local' || policy.local === true || site?.kind === 'sandbox';
  // A Service of a cluster has the same name for us.
  const isService = site?.kind === 'k8s' && serviceAt(rewritten) !== undefined;
  return !fromHere || isThisMachine || isService ? rewritten : url;
}

/** Layers whose files may come from somebody else. */
const OF_PROJECTS: ReadonlySet<LayerName> = new Set<LayerName>(['project', 'local', 'plugin']);

/** A server that runs already belongs to no place, but for the Services of a cluster, which only the cluster can lead to. */
function siteFor(endpoint: StdioEndpoint | RemoteEndpoint, { executor, policy }: ResolveContext): Site | undefined {
  const site = siteOf(executor, policy);
  if (endpoint.transport === 'stdio' || endpoint.program) return site;
  const service = site?.kind === 'k8s' ? serviceAt(endpoint.url) : undefined;
  if (site?.kind !== 'k8s' || !service) return undefined;
  const { context, kubeconfig, namespace } = site.settings;
  return { ...site, settings: { context, kubeconfig, namespace: service.namespace ?? namespace } };
}

/** The policy's variables win, but for those it leaves to the server by name. */
function withInjected(own: Readonly<Record<string, string>>, policy: ExecutorPolicy): Record<string, string> {
  const kept = policy.env_server_wins.flatMap(name => (own[name] === undefined ? [] : [[name, own[name]] as const]));
  return { ...own, ...policy.env_injection, ...Object.fromEntries(kept) };
}
