/** @junctor/adapters/ai-sdk: MCP tools for the AI SDK. */
export { type AiTools, type AiToolsOptions, aiTools } from './ai-sdk/ai-tools.ts';
export type { AskedCall, ToolApproval } from './ai-sdk/approval.ts';
export type { AiToolOutput } from './ai-sdk/one-tool.ts';
export type { ToolProgress } from './ai-sdk/with-progress.ts';
export type { DeferOptions, ToolboxOptions } from './toolbox/options.ts';
