/** One tool as it is offered: where it is from, what the server said about it, and the name it goes by. */
import type { GivenName } from './naming/public-names.ts';
import type { SchemaChange } from './schema-fit/change.ts';

/** A tool as its server describes it. What stands there is a stranger's. */
export interface ToolDefinition {
  /** The server's own name for it. */
  readonly name: string;
  /** What it does, in the server's words. */
  readonly description?: string;
  /** The JSON Schema of its arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** One tool, with its public name and what a model is told of it. */
export interface Entry {
  /** The public name. */
  readonly name: string;
  /** The id of its server in the config. */
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

/** A tool as a model or a client is told of it. */
export interface OfferedTool extends ToolDefinition {
  /** Cleaned of what nobody sees, with where the tool is from. */
  readonly description: string;
}

/** How a tool had to be changed for its reader. */
export interface ToolFit {
  /** Where the public name is not server and tool simply joined: what it would be, and why it is not. */
  readonly renamed?: { readonly from: string; readonly because: NonNullable<GivenName['because']> };
  /** What its schema says otherwise than the server's. */
  readonly changes: readonly SchemaChange[];
  /** The model can be held to the schema to the letter. */
  readonly strict: boolean;
  /** Its description was longer than the reader takes. */
  readonly descriptionCut: boolean;
}
