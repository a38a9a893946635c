/** A tool of Junctor itself, as a model or client is told of it. No server's tool is ever given its name. */
export interface OwnDefinition {
  /** What a model calls it by. */
  readonly name: string;
  /** What it does. */
  readonly description: string;
  /** The JSON Schema of its arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** For clients, which ask less about what changes nothing. */
  readonly annotations?: { readonly title: string; readonly readOnlyHint: boolean };
}
