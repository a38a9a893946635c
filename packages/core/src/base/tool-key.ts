/** Server and tool as one key of a map. The sign between them is in no id of a server. */
export function toolKey({ server, tool }: { readonly server: string; readonly tool: string }): string {
  return `${server}\0${tool}`;
}
