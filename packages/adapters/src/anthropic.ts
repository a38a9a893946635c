/** @junctor/adapters/anthropic: MCP tools for the Messages API. */
export {
  type AnthropicCustomTool,
  type AnthropicResultBlock,
  type AnthropicTool,
  type AnthropicToolResult,
  type AnthropicToolsOptions,
  type AnthropicToolUse,
  anthropicTools,
} from './anthropic/messages.ts';
export type { DeferOptions, RunOptions, ToolboxOptions } from './toolbox/options.ts';
export type { PlainTools } from './toolbox/plain-tools.ts';
