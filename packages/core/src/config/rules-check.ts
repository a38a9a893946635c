/** Permission patterns that cannot mean what their author thinks: a deny rule without effect looks like safety. */
import { nearest } from '../base/nearest.ts';
import type { LoadedServer } from './layers.ts';
import type { Problem } from './problem.ts';
import type { ConfigFrame } from './schema.ts';

const PREFIX = 'mcp__';

export function checkRules({ permissions }: ConfigFrame, servers: ReadonlyMap<string, LoadedServer>): Problem[] {
  const ids = [...servers.keys()];
  return (['allow', 'ask', 'deny'] as const).flatMap(effect =>
    (permissions?.[effect] ?? []).flatMap((pattern): Problem[] => {
      const found = whatIsWrong(pattern, ids);
      if (!found) return [];
      const { message, fix } = found;
      return [
        {
          file: '(permissions)',
          path: `permissions.${effect}`,
          message,
          found: pattern,
          expected: 'mcp__SERVER__TOOL',
          fix,
        },
      ];
    }),
  );
}

function whatIsWrong(pattern: string, ids: readonly string[]): { message: string; fix: string } | undefined {
  if (pattern === '*') return undefined;
  if (!pattern.startsWith(PREFIX)) {
    const fix = `Write it as mcp__SERVER__TOOL${suggestion(pattern, ids)}.`;
    return { message: `The pattern '${pattern}' covers no tool: it does not begin with mcp__.`, fix };
  }
  const [server = ''] = pattern.slice(PREFIX.length).split('__');
  // A server of another project may be meant; only what looks like a slip of the pen is told.
  if (/[*?]/.test(server) || ids.some(id => id === server || id.startsWith(`${server}_`))) return undefined;
  const near = nearest(server, ids);
  return near
    ? { message: `The pattern '${pattern}' names no server that is defined.`, fix: `Did you mean '${near}'?` }
    : undefined;
}

/** `demo_echo` is how agents see the tool `echo` of `demo`. */
function suggestion(pattern: string, ids: readonly string[]): string {
  const server = ids.find(id => pattern.startsWith(`${id}_`));
  return server === undefined ? '' : `: ${PREFIX}${server}__${pattern.slice(server.length + 1)}`;
}
