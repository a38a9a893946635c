/** Judges the config of an agent as it is posted, by the one schema of config files, in the words of whoever posted it. Pure. */
import type { Problem } from '@junctor/core';
import { isObject, judge } from '@junctor/core/internal';
import type { AgentMcpConfig } from './agent-config.ts';

export interface AgentConfigReading {
  readonly config: AgentMcpConfig;
  readonly problems: readonly Problem[];
}

/** `body` has the outer shape already: a switch, and servers that are objects or are told to be none. */
export function readAgentConfig(
  agent: string,
  body: {
    readonly enabled: boolean;
    readonly servers: Readonly<Record<string, unknown>>;
    readonly meta?: AgentMcpConfig['meta'] | undefined;
  },
): AgentConfigReading {
  const { enabled, servers, meta } = body;
  const document = { file: '(body)', value: { servers }, locate: () => ({ line: 1, column: 1 }) };
  const { problems } = judge(document, {
    frame: {},
    servers: Object.entries(servers).map(([id, entry]) => readServer(id, entry, meta?.[id])),
    problems: Object.entries(servers).flatMap(([id, entry]) => wrongWords(id, entry)),
  });
  return {
    config: { agent_id: agent, enabled, servers: servers as AgentMcpConfig['servers'], ...(meta ? { meta } : {}) },
    problems: problems.map(({ line: _line, column: _column, ...problem }) => problem),
  };
}

function readServer(id: string, entry: unknown, meta: object | undefined) {
  const path = ['servers', id];
  const { type, ...rest } = isObject(entry) ? entry : {};
  const definition = { ...rest, ...(type === undefined ? {} : { transport: type }), ...(meta ? { meta } : {}) };
  return { id, path, definition, at: { transport: [...path, 'type'], meta: ['meta', id] } };
}

/** Words of a config file that stand elsewhere here. */
function wrongWords(id: string, entry: unknown) {
  if (!isObject(entry)) return [];
  const places = { transport: "Did you mean 'type'?", meta: `Put it beside 'servers', under meta.${id}.` };
  return Object.entries(places).flatMap(([key, fix]) => {
    if (entry[key] === undefined) return [];
    return [{ path: ['servers', id, key], server: id, message: `Unknown key '${key}' in server '${id}'.`, fix }];
  });
}
