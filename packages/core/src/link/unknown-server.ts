import { JunctorError } from '../base/error.ts';
import { nearest } from '../base/nearest.ts';

/** Nobody defines a server with this id. `leftOut` are those that are defined, but not for this run. */
export function unknownServer(id: string, known: readonly string[], leftOut: readonly string[]): JunctorError {
  return new JunctorError('server_unknown', `There is no server '${id}'.`, {
    server: id,
    why: known.length > 0 ? `known servers: ${known.join(', ')}` : 'no MCP servers configured',
    hint: hintFor(id, [...known, ...leftOut]),
  });
}

function hintFor(id: string, defined: readonly string[]): string {
  if (defined.length === 0) return 'add one: junctor mcp add; or copy those of your agents: junctor mcp import';
  const near = nearest(id, defined);
  return near === undefined ? 'junctor mcp list' : `did you mean '${near}'? All of them: junctor mcp list`;
}
