/** What may exist for this run: the servers that are switched on, with every default filled in. Pure. */
import type { McpConfigLoadResult } from '../config/load.ts';
import type { McpServerDef } from '../config/schema.ts';

export interface StdioEndpoint {
  readonly transport: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  readonly env: Readonly<Record<string, string>>;
}

export interface HttpEndpoint {
  readonly transport: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Timeouts {
  readonly connectMs: number;
  readonly requestMs: number;
  /** Silence a tool call survives; progress starts it anew. */
  readonly toolIdleMs: number;
  readonly toolTotalMs: number;
}

export interface ResolvedServer {
  readonly id: string;
  readonly endpoint: StdioEndpoint | HttpEndpoint;
  readonly trusted: boolean;
  readonly timeouts: Timeouts;
  readonly maxMessageBytes: number;
}

export interface LeftOut {
  readonly id: string;
  readonly because: string;
}

export interface Roster {
  readonly servers: ReadonlyMap<string, ResolvedServer>;
  readonly leftOut: readonly LeftOut[];
}

export const DEFAULT_TIMEOUTS: Timeouts = {
  connectMs: 60_000,
  requestMs: 30_000,
  toolIdleMs: 5 * 60_000,
  toolTotalMs: 27 * 60 * 60_000,
};

export const DEFAULT_MAX_MESSAGE_BYTES: number = 128 * 1024 * 1024;

export function buildRoster(loaded: Pick<McpConfigLoadResult, 'enabled' | 'servers'>): Roster {
  const servers = new Map<string, ResolvedServer>();
  const leftOut: LeftOut[] = [];
  for (const { id, definition } of loaded.servers.values()) {
    if (!loaded.enabled)
      leftOut.push({ id, because: 'MCP is switched off: enabled is false at the top of the config' });
    else if (definition.enabled === false) leftOut.push({ id, because: 'enabled is false' });
    else servers.set(id, resolveServer(id, definition));
  }
  return { servers, leftOut };
}

function resolveServer(id: string, definition: McpServerDef): ResolvedServer {
  return {
    id,
    endpoint: endpointOf(definition),
    trusted: definition.trust === 'trusted',
    timeouts: {
      connectMs: definition.connect_timeout_ms ?? DEFAULT_TIMEOUTS.connectMs,
      requestMs: definition.request_timeout_ms ?? DEFAULT_TIMEOUTS.requestMs,
      toolIdleMs: definition.tool_idle_timeout_ms ?? DEFAULT_TIMEOUTS.toolIdleMs,
      toolTotalMs: definition.tool_timeout_ms ?? DEFAULT_TIMEOUTS.toolTotalMs,
    },
    maxMessageBytes: definition.max_message_bytes ?? DEFAULT_MAX_MESSAGE_BYTES,
  };
}

function endpointOf(definition: McpServerDef): StdioEndpoint | HttpEndpoint {
  if (definition.transport === 'http') {
    return { transport: 'http', url: definition.url, headers: definition.headers ?? {} };
  }
  const { command, args = [], cwd, env = {} } = definition;
  return { transport: 'stdio', command, args, cwd, env };
}
