/** One tool as it is offered: where it is from, what the server said about it, and the name it goes by. */
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
  readonly definition: ToolDefinition;
}
