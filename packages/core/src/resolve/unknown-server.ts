import { JunctorError, type NextStep } from '../base/error.ts';
import { nearest } from '../base/text/nearest.ts';

/** Nobody defines a server with this id. `leftOut` are those that are defined, but not for this run. */
export function unknownServer(id: string, known: readonly string[], leftOut: readonly string[]): JunctorError {
  return new JunctorError('server_unknown', `There is no server '${id}'.`, {
    server: id,
    why: known.length > 0 ? `known servers: ${known.map(one => `'${one}'`).join(', ')}` : 'no MCP servers configured',
    ...stepFor(id, [...known, ...leftOut]),
  });
}

function stepFor(id: string, defined: readonly string[]): NextStep {
  if (defined.length === 0) {
    return {
      hint: 'define it under servers of config, or name a file that does with path',
      command: 'add one: junctor mcp add; or copy those of your agents: junctor mcp import',
    };
  }
  const near = nearest(id, defined);
  if (near === undefined) return { hint: 'host.status() has all of them', command: 'junctor mcp list' };
  return {
    hint: `did you mean '${near}'? host.status() has all of them`,
    command: `did you mean '${near}'? All of them: junctor mcp list`,
  };
}
