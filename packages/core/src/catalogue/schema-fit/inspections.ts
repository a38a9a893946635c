/** What was found in the schemas of one list of tools. It is the same for every reader, so it is looked for once. */
import type { ToolDefinition } from '../entry.ts';
import { type Inspection, inspect } from './well-formed.ts';

export class Inspections {
  readonly #tools: readonly ToolDefinition[];
  readonly #found: (Inspection | undefined)[] = [];

  constructor(tools: readonly ToolDefinition[]) {
    this.#tools = tools;
  }

  of(index: number): Inspection {
    this.#found[index] ??= inspect(this.#tools[index]?.inputSchema);
    return this.#found[index];
  }
}
