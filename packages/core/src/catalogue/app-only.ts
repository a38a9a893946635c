/** Tools that a server offers to its user interface and not to a model: the MCP Apps extension. Pure. */

/** The name of the extension by which a client says that it shows user interfaces of servers. */
const UI_EXTENSION = 'io.modelcontextprotocol/ui';

/** A tool without a visibility is for models and apps alike. */
export function isAppOnly(tool: object): boolean {
  const { _meta } = tool as { _meta?: { ui?: { visibility?: unknown } | null } | null };
  const visibility = _meta?.ui?.visibility;
  return Array.isArray(visibility) && !visibility.includes('model');
}

/** Whether a client with these capabilities shows user interfaces, whose tools it needs. */
export function showsApps({ extensions }: Readonly<Record<string, unknown>>): boolean {
  return typeof extensions === 'object' && extensions !== null && UI_EXTENSION in extensions;
}
