/** @junctor/adapters/gemini: MCP tools for generateContent. */
export {
  type GeminiFunctionCall,
  type GeminiFunctionDeclaration,
  type GeminiFunctionResponsePart,
  type GeminiTool,
  type GeminiToolsOptions,
  geminiTools,
} from './gemini/generate-content.ts';
export type { DeferOptions, RunOptions, ToolboxOptions } from './toolbox/options.ts';
export type { PlainTools } from './toolbox/plain-tools.ts';
