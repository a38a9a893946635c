/** How long a tool call may take and be silent: what somebody wrote, and what the format of the file means by itself. Pure. */
import type { DialectName } from './dialects/dialect.ts';
import type { ConfigFrame } from './schema/schema.ts';
import type { McpServerDef } from './schema/server-schema.ts';

export interface ToolLimits {
  readonly idleMs: number;
  readonly totalMs: number;
  /** Somebody wrote how long a call may be silent; else the time of the whole call counts for that too. */
  readonly idleIsWritten: boolean;
  /** What the limits are called where they are written. */
  readonly keys: { readonly idle: string; readonly total: string };
}

export interface ToolLimitsInput {
  readonly definition: McpServerDef;
  readonly defaults: ConfigFrame['defaults'];
  /** The format the server is written in. */
  readonly dialect?: DialectName | undefined;
  /** `MCP_TOOL_TIMEOUT`: counts where the config says nothing. */
  readonly variableMs?: number | undefined;
}

const IDLE_MS = 5 * 60_000;
const TOTAL_MS = 27 * 60 * 60_000;

/** What other formats call the time a tool call may take in all. */
const WORDS: Partial<Record<DialectName, string>> = {
  codelia: 'request_timeout_ms',
  'code-agent': 'timeout',
  cocode: 'tool_timeout_sec',
  codex: 'tool_timeout_sec',
  kimi: 'toolTimeoutMs',
};

/** Codelia's document limits every request, calls included, to this. */
const CODELIA_MS = 30_000;

export function toolLimits(input: ToolLimitsInput): ToolLimits {
  const { definition, defaults, dialect } = input;
  const written = totalOf(input);
  const idleMs = definition.tool_idle_timeout_ms ?? defaults?.tool_idle_timeout_ms;
  const totalMs = written?.ms ?? TOTAL_MS;
  // A time that somebody wrote for a whole call is meant for a silent one too, and a cocode file means 27 hours.
  const follows = idleMs === undefined && (written !== undefined || dialect === 'cocode');
  const total = written?.key ?? word(dialect);
  return {
    idleMs: follows ? totalMs : (idleMs ?? IDLE_MS),
    totalMs,
    idleIsWritten: idleMs !== undefined,
    keys: { idle: follows ? total : 'tool_idle_timeout_ms', total },
  };
}

function totalOf(input: ToolLimitsInput): { readonly ms: number; readonly key: string } | undefined {
  const { definition, defaults, dialect, variableMs } = input;
  const key = word(dialect);
  if (definition.tool_timeout_ms !== undefined) return { ms: definition.tool_timeout_ms, key };
  // Both have one timeout for all requests.
  const isForAll = dialect === 'codelia' || dialect === 'code-agent';
  if (isForAll && definition.request_timeout_ms !== undefined) return { ms: definition.request_timeout_ms, key };
  if (dialect === 'code-agent' && defaults?.request_timeout_ms !== undefined)
    return { ms: defaults.request_timeout_ms, key };
  if (defaults?.tool_timeout_ms !== undefined) return { ms: defaults.tool_timeout_ms, key: 'defaults.tool_timeout_ms' };
  if (variableMs !== undefined) return { ms: variableMs, key: 'MCP_TOOL_TIMEOUT' };
  return dialect === 'codelia' ? { ms: CODELIA_MS, key } : undefined;
}

function word(dialect: DialectName | undefined): string {
  return (dialect && WORDS[dialect]) ?? 'tool_timeout_ms';
}
