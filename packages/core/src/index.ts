/** @junctor/core: MCP in one import. Adding a name here is a promise to the people who use it. */
export { ERROR_CODES, type ErrorCode, isJunctorError, JunctorError } from './base/error.ts';
export type { Ask, CallOptions, Question, ToolRef } from './call/call.ts';
export type { Entry, ToolDefinition } from './catalogue/entry.ts';
export type { NamingStrategy } from './catalogue/naming/strategy.ts';
export type { Snapshot } from './catalogue/snapshot.ts';
export {
  type LoadedServer,
  type LoadMcpConfigOptions,
  loadMcpConfig,
  type McpConfigLoadResult,
} from './config/load.ts';
export { parseMcpConfig } from './config/parse.ts';
export { discoverMcpConfigPath } from './config/places.ts';
export type { Problem } from './config/problem.ts';
export type { McpConfig, McpServerDef, PermissionRules } from './config/schema.ts';
export type { HostEvent } from './events.ts';
export { createHost, Host, type HostOptions, type ServerFailure } from './host.ts';
export type { LinkState } from './link/link.ts';
export type { ContentPart, ToolResult } from './result/tool-result.ts';
export { VERSION } from './version.ts';
