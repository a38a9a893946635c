/** One tool as it is offered: where it is from, what the server said about it, and the name it goes by. */
import type { GivenName } from './naming/public-names.ts';
import type { SchemaChange } from './schema-fit/change.ts';

export interface ToolDefinition {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

export interface Entry {
  /** The public name. */
  readonly name: string;
  readonly server: string;
  /** The server's own name for it. */
  readonly tool: string;
  /** What the server said, word for word: for fingerprints, not for a model. */
  readonly definition: ToolDefinition;
  /** What a model or a client is told: the public name, cleaned texts with the origin, a schema it can read. */
  readonly offered: OfferedTool;
  /** What had to be changed for that. */
  readonly fit: ToolFit;
}

export interface OfferedTool extends ToolDefinition {
  readonly description: string;
}

export interface ToolFit {
  /** Where the public name is not server and tool simply joined: what it would be, and why it is not. */
  readonly renamed?: { readonly from: string; readonly because: NonNullable<GivenName['because']> };
  readonly changes: readonly SchemaChange[];
  /** The model can be held to the schema to the letter. */
  readonly strict: boolean;
  readonly descriptionCut: boolean;
}
