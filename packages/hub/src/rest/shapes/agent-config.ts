/** What is said about an agent: the bodies of `/api/mcp-config`, and the policies of executors. */
import { ExecutorPolicy, RemoteServer, SITES, StdioServer } from '@junctor/core/internal';
import * as z from 'zod/mini';

const texts = z.record(z.string(), z.string());

/** A server as a config file writes it, but for `type` in place of `transport`. */
const StdioServerDef = z.extend(z.omit(StdioServer, { transport: true, meta: true }), {
  type: z.literal('stdio'),
});
const RemoteServerDef = z.extend(z.omit(RemoteServer, { transport: true, meta: true }), {
  type: z.enum(['http', 'streamable_http', 'sse', 'ws']),
});

export const McpServerDef = z.discriminatedUnion('type', [StdioServerDef, RemoteServerDef]);

export const McpMetaDef = z.strictObject({
  name: z.optional(z.string()),
  description: z.optional(z.string()),
  url: z.optional(z.string()),
  icon: z.optional(z.string()),
});

export const AgentMcpConfig = z.object({
  agent_id: z.string(),
  enabled: z.boolean(),
  servers: z.record(z.string(), McpServerDef),
  meta: z.optional(z.record(z.string(), McpMetaDef)),
});

/** Servers are judged one by one, by the schema of config files: what is wrong is then told in its words. */
export const AgentMcpConfigBody = z.strictObject({
  agent_id: z.optional(z.string()).check(z.describe('May be left out; otherwise the agent of the query.')),
  enabled: z.boolean().check(z.describe('false: this agent gets no servers.')),
  servers: z.record(z.string(), z.unknown()).check(z.describe('By id: each an McpServerDef.')),
  meta: z.optional(z.record(z.string(), McpMetaDef)).check(z.describe('By id: how to show servers to people.')),
});

export const ExecutorMcpPolicy = ExecutorPolicy;

/** A policy with every default filled in. */
export const FullPolicy = z.object({
  allow_stdio: z.boolean(),
  allow_http: z.boolean(),
  allow_sse: z.boolean(),
  allow_streamable_http: z.boolean(),
  allow_ws: z.boolean(),
  stdio_proxy: z.boolean(),
  http_url_rewrite: texts,
  env_injection: texts,
  env_server_wins: z.array(z.string()),
  home: z.optional(z.string()),
  local: z.optional(z.boolean()),
  docker: z.optional(SITES.docker),
  ssh: z.optional(SITES.ssh),
  sandbox: z.optional(SITES.sandbox),
  k8s: z.optional(SITES.k8s),
});

export const Notice = z.object({ server: z.optional(z.string()), message: z.string() });
