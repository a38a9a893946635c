/** A tool of Junctor itself, as a model or client is told of it. No server's tool is ever given its name. */
export interface OwnDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** For clients, which ask less about what changes nothing. */
  readonly annotations?: { readonly title: string; readonly readOnlyHint: boolean };
}
