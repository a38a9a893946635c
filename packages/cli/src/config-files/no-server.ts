/** An id that no layer defines, or one that a layer defines wrongly: every command tells it the same way. */
import { invalidServer, type McpConfigLoadResult } from '@junctor/core/config-read';
import { JunctorError, unknownServer } from '@junctor/core/light';

export function noServer(id: string, { servers, problems }: Pick<McpConfigLoadResult, 'servers' | 'problems'>) {
  if (problems.some(({ server }) => server === id)) return invalidServer(id, problems);
  const ids = [...servers.keys()];
  const tool = toolCalled(id, ids);
  if (tool === undefined) return unknownServer(id, ids, []);
  return new JunctorError('server_unknown', `There is no server '${id}'.`, {
    server: id,
    why: `known servers: ${ids.map(one => `'${one}'`).join(', ')}`,
    hint: `it looks like the name of a tool: junctor explain ${tool}`,
  });
}

/** `mcp__demo__echo` and `demo_echo` are what agents call the tool `echo` of `demo`. */
function toolCalled(name: string, ids: readonly string[]): string | undefined {
  const plain = name.replace(/^mcp__?/, '');
  for (const id of ids.toSorted((a, b) => b.length - a.length)) {
    const [, tool] = (plain.startsWith(id) && /^(?:__?|::)(.+)$/.exec(plain.slice(id.length))) || [];
    if (tool !== undefined) return `${id}/${tool}`;
  }
  return undefined;
}
