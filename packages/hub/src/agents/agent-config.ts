/** The config of one agent, as it is posted and returned: servers by id, each with its `type`, and what people see of them. */
import type { McpServerDef } from '@junctor/core';

/** As a config file writes it, but for `type` in place of `transport`, and `meta` in a map of its own. */
export type PostedServer = { readonly type: McpServerDef['transport'] } & Readonly<Record<string, unknown>>;

export interface AgentMcpConfig {
  readonly agent_id: string;
  readonly enabled: boolean;
  readonly servers: Readonly<Record<string, PostedServer>>;
  readonly meta?: Readonly<Record<string, McpMetaDef>>;
}

export interface McpMetaDef {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly url?: string | undefined;
  readonly icon?: string | undefined;
}

/** Agents that a request may name: in upper or lower case, with hyphens. */
export const AGENT_ID: RegExp = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** Its servers as a config file writes them. */
export function definitionsOf({ servers, meta = {} }: AgentMcpConfig): Record<string, McpServerDef> {
  return Object.fromEntries(
    Object.entries(servers).map(([id, { type, ...rest }]) => {
      const shown = Object.hasOwn(meta, id) ? { meta: meta[id] } : {};
      return [id, { transport: type, ...rest, ...shown } as McpServerDef];
    }),
  );
}

/** The way back: definitions of files as a config of this agent. */
export function configFrom(
  agent: string,
  enabled: boolean,
  definitions: Iterable<readonly [string, McpServerDef]>,
): AgentMcpConfig {
  const entries = [...definitions].map(([id, definition]) => {
    const { transport, meta, enabled: _on, ...rest } = definition;
    return { id, meta, server: { type: transport, ...rest } as PostedServer };
  });
  const shown = entries.flatMap(({ id, meta }) => (meta ? [[id, meta as McpMetaDef] as const] : []));
  return {
    agent_id: agent,
    enabled,
    servers: Object.fromEntries(entries.map(({ id, server }) => [id, server])),
    ...(shown.length > 0 ? { meta: Object.fromEntries(shown) } : {}),
  };
}
