/**
 * A permission pattern such as `mcp__github__create_*` or `mcp__fs__write_file(path=/tmp/**)`. It is matched on the pair
 * (server, tool), never on a joined string that the name of another server could imitate. Since ids and tools may
 * themselves hold `__`, a pattern can be cut in several places: every cut whose server part fits a known id counts.
 */
import { compileGlob, type Glob } from '../base/text/glob.ts';
import { agentId } from '../config/agent-id.ts';
import {
  describeRule,
  parseRulePattern,
  patternOf,
  RULE_PREFIX,
  type WrittenRule,
} from '../config/schema/rule-pattern.ts';
import { type ArgumentTest, compileConditions } from './arguments.ts';

export type Effect = 'allow' | 'ask' | 'deny';

export interface Rule {
  readonly effect: Effect;
  /** How people and grants name it: its pattern, with its agents where it has some. */
  readonly name: string;
  readonly cuts: readonly Cut[];
  /** Whether these arguments are meant. Absent where any are. */
  readonly fits: ArgumentTest | undefined;
  /** The agents it concerns. Absent where it concerns every caller. */
  readonly agents: ReadonlySet<string> | undefined;
}

interface Cut {
  readonly server: Glob;
  readonly tool: Glob;
}

/** A pattern that cannot be read takes away as much as it can mean, and gives nothing. */
export function compileRule(effect: Effect, written: WrittenRule, knownServers: readonly string[]): Rule {
  const parsed = parseRulePattern(patternOf(written));
  const conditions = parsed.ok ? parsed.conditions : [];
  const readable = parsed.ok || effect !== 'allow';
  const cuts = cutsOf(parsed.tools).filter(cut => knownServers.some(id => cut.server.test(id)));
  const reading = effect === 'allow' ? 'narrow' : 'generous';
  return {
    effect,
    name: describeRule(written),
    cuts: readable ? cuts : [],
    fits: conditions.length > 0 ? compileConditions(conditions, reading) : undefined,
    agents: typeof written === 'string' ? undefined : new Set(written.agents.map(agentId)),
  };
}

/** Whether it speaks of this tool at all. A pattern that could mean two servers denies and asks for both, but allows neither. */
export function covers(rule: Rule, server: string, tool: string): boolean {
  if (rule.effect === 'allow' && rule.cuts.length !== 1) return false;
  return rule.cuts.some(cut => cut.server.test(server) && cut.tool.test(tool));
}

/** Whether it concerns a caller. One that names agents never concerns a caller without one. */
export function concerns({ agents }: Rule, agent: string | undefined): boolean {
  return agents === undefined || (agent !== undefined && agents.has(agentId(agent)));
}

function cutsOf(pattern: string): Cut[] {
  if (pattern === '*' || pattern === `${RULE_PREFIX}*`) return [{ server: compileGlob('*'), tool: compileGlob('*') }];
  const body = pattern.startsWith(RULE_PREFIX) ? pattern.slice(RULE_PREFIX.length) : pattern;
  const cuts: Cut[] = [];
  for (let at = body.indexOf('__'); at >= 0; at = body.indexOf('__', at + 1)) {
    const [server, tool] = [body.slice(0, at), body.slice(at + 2)];
    if (server && tool) cuts.push({ server: compileGlob(server), tool: compileGlob(tool) });
  }
  // `mcp__git` means the whole server. No rule is ever without effect: a deny that does nothing would look like safety.
  if (cuts.length === 0 && body !== '')
    cuts.push({ server: compileGlob(body.replace(/_+$/, '')), tool: compileGlob('*') });
  return cuts;
}
