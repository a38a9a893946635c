/** Permission patterns that cannot mean what their author thinks: a deny rule without effect looks like safety. */
import { nearest } from '../../base/text/nearest.ts';
import type { Path } from '../formats/document.ts';
import type { Layer, LoadedServer } from '../layers.ts';
import { formatPath, type Problem } from '../problem.ts';
import { parseRulePattern, patternOf, RULE_PREFIX } from '../schema/rule-pattern.ts';
import type { ConfigFrame, PermissionRules } from '../schema/schema.ts';

/** Tools of chat itself. Rules name them as they are called. */
const CHAT_TOOLS = new Set(['edit', 'list', 'read', 'search', 'shell', 'write']);

/** Checked once all layers are known: the server that a rule names may stand in another file. */
export function checkRules(layers: readonly Layer[], servers: ReadonlyMap<string, LoadedServer>): Problem[] {
  const ids = [...servers.keys()];
  return layers.flatMap(layer =>
    rulesOf(layer.config).flatMap(({ pattern, path }): Problem[] => {
      const wrong = whatIsWrong(pattern, ids);
      const written = layer.pathInFrame?.(path) ?? path;
      const at = { file: layer.source, ...layer.placeInFrame?.(path), path: formatPath(written) };
      return wrong ? [{ ...at, found: pattern, ...wrong }] : [];
    }),
  );
}

type Wrong = Pick<Problem, 'message' | 'expected' | 'fix' | 'found'>;

/** Patterns that cannot be read, whatever servers there are. */
export function unreadableRules(frame: Ruled): { path: Path; wrong: Wrong }[] {
  return rulesOf(frame).flatMap(({ pattern, path }) => {
    const parsed = parseRulePattern(pattern);
    if (parsed.ok) return [];
    const wrong = {
      message: `The pattern '${pattern}' cannot be read: ${parsed.because}.`,
      found: pattern,
      expected: 'mcp__SERVER__TOOL(ARGUMENT=VALUE)',
      fix: `Write it as ${parsed.tools}(path=/tmp/**), or without brackets for any arguments.`,
    };
    return [{ path, wrong }];
  });
}

/** Where rules are written: at the top of a file, and below single agents. */
type Ruled = Pick<ConfigFrame, 'permissions' | 'agents'>;

function rulesOf({ permissions, agents = {} }: Ruled): { pattern: string; path: Path }[] {
  const ofAgents = Object.entries(agents).flatMap(([id, agent]) =>
    rulesAt(['agents', id, 'permissions'], agent.permissions),
  );
  return [...rulesAt(['permissions'], permissions), ...ofAgents];
}

function rulesAt(at: Path, rules: PermissionRules = {}): { pattern: string; path: Path }[] {
  return (['allow', 'ask', 'deny'] as const).flatMap(effect =>
    (rules[effect] ?? []).map((rule, index) => ({
      pattern: patternOf(rule),
      path: [...at, effect, index, ...(typeof rule === 'string' ? [] : ['tools'])],
    })),
  );
}

function whatIsWrong(pattern: string, ids: readonly string[]): Wrong | undefined {
  const { ok, tools } = parseRulePattern(pattern);
  if (!ok || tools === '*' || CHAT_TOOLS.has(tools)) return undefined;
  if (!tools.startsWith(RULE_PREFIX)) {
    return {
      message: `The pattern '${pattern}' covers no tool: it does not begin with mcp__.`,
      expected: 'mcp__SERVER__TOOL',
      fix: `Write it as mcp__SERVER__TOOL${suggestion(tools, ids)}.`,
    };
  }
  const [server = ''] = tools.slice(RULE_PREFIX.length).split('__');
  // A server of another project may be meant; only what looks like a slip of the pen is told.
  if (/[*?]/.test(server) || ids.some(id => id === server || id.startsWith(`${server}_`))) return undefined;
  const near = nearest(server, ids);
  if (near === undefined) return undefined;
  return {
    message: `The pattern '${pattern}' names no server that is defined.`,
    expected: 'mcp__SERVER__TOOL',
    fix: `Did you mean '${near}'?`,
  };
}

/** `demo_echo` is how agents see the tool `echo` of `demo`. */
function suggestion(pattern: string, ids: readonly string[]): string {
  const server = ids.find(id => pattern.startsWith(`${id}_`));
  return server === undefined ? '' : `: ${RULE_PREFIX}${server}__${pattern.slice(server.length + 1)}`;
}
