/**
 * The canonical config file: one strict schema from which types, JSON Schema, the reference page and the editor form
 * derive. Foreign spellings belong to dialects, never here.
 */
import * as z from 'zod';

export const SERVER_ID = /^[a-zA-Z0-9_-]{1,64}$/;

const milliseconds = z.int().positive();
const texts = z.record(z.string(), z.string());

/** What any server may say, however it is reached. */
const common = {
  enabled: z.boolean().optional().describe('false keeps the server defined but never connected. Missing means true.'),
  trust: z
    .enum(['trusted', 'untrusted'])
    .optional()
    .describe('Tools of a trusted server run without asking, unless a rule says ask or deny. Missing means untrusted.'),
  connect_timeout_ms: milliseconds.optional().describe('How long starting and greeting may take. Default 60000.'),
  request_timeout_ms: milliseconds.optional().describe('How long a control request may take. Default 30000.'),
  tool_idle_timeout_ms: milliseconds
    .optional()
    .describe('How long a tool call may stay silent; progress starts it anew. Default 300000 (5 minutes).'),
  tool_timeout_ms: milliseconds
    .optional()
    .describe('How long a tool call may take in all. Default 97200000 (27 hours).'),
  max_message_bytes: z
    .int()
    .positive()
    .optional()
    .describe('A larger message fails its own request and nothing else. Default 134217728 (128 MiB).'),
};

export const StdioServer = z.strictObject({
  transport: z.literal('stdio').describe('A program that speaks MCP on its standard input and output.'),
  command: z.string().min(1).describe('Program to start, found on PATH or given as a path.'),
  args: z.array(z.string()).optional().describe('Arguments, passed as they are: no shell reads them.'),
  cwd: z.string().min(1).optional().describe('Directory the program starts in. Default: where Junctor was started.'),
  env: texts.optional().describe('Variables added to a small safe set; nothing else of your environment is passed on.'),
  ...common,
});

export const HttpServer = z.strictObject({
  transport: z.literal('http').describe('A Streamable HTTP endpoint.'),
  url: z.url({ protocol: /^https?$/ }).describe('The endpoint, with http:// or https://.'),
  headers: texts.optional().describe('Headers sent with every request.'),
  ...common,
});

export const ServerDef = z.discriminatedUnion('transport', [StdioServer, HttpServer]);

const patterns = z.array(z.string().min(1));

export const Permissions = z.strictObject({
  allow: patterns.optional().describe('Tools that run without asking, such as mcp__fs__read_*.'),
  ask: patterns.optional().describe('Tools that always need a yes, even on a trusted server.'),
  deny: patterns.optional().describe('Tools that never run. Deny beats ask, ask beats allow.'),
});

/** Everything of a file but its servers, which are judged one by one so that a bad one never stops the others. */
export const FileFrame = z.strictObject({
  $schema: z.string().optional().describe('Where editors find the JSON Schema of this file.'),
  version: z.literal(1).optional().describe('Version of this format.'),
  enabled: z.boolean().optional().describe('false: no server of any layer is connected.'),
  permissions: Permissions.optional().describe('Which tools may run.'),
  servers: z.record(z.string(), z.unknown()).optional().describe('The servers, by id.'),
});

export type McpServerDef = z.infer<typeof ServerDef>;
export type PermissionRules = z.infer<typeof Permissions>;

/** One file that passed the schema. */
export interface McpConfig {
  readonly enabled: boolean;
  readonly permissions: PermissionRules;
  readonly servers: Readonly<Record<string, McpServerDef>>;
}
