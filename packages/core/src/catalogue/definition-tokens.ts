/** What definitions of tools cost a model that is shown all of them: name, description and input schema, as JSON. */
import { tokensOf } from '../base/text/tokens.ts';
import type { ToolDefinition } from './entry.ts';

export function definitionTokens(tools: readonly ToolDefinition[]): number {
  const shown = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return tools.length === 0 ? 0 : tokensOf(JSON.stringify(shown).length);
}
