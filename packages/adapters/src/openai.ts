/** @junctor/adapters/openai: MCP tools for Chat Completions and for the Responses API. */
export {
  type ChatTool,
  type ChatToolCall,
  type ChatToolMessage,
  type OpenAiToolsOptions,
  openaiTools,
} from './openai/chat.ts';
export {
  type OpenAiResponsesToolsOptions,
  openaiResponsesTools,
  type ResponsesOutputPart,
  type ResponsesToolCall,
  type ResponsesToolOutput,
} from './openai/responses.ts';
export type {
  ResponsesFunction,
  ResponsesNamespace,
  ResponsesTool,
  ResponsesToolSearch,
} from './openai/responses-tools.ts';
export type { DeferOptions, RunOptions, ToolboxOptions } from './toolbox/options.ts';
export type { PlainTools } from './toolbox/plain-tools.ts';
