/**
 * A permission pattern taken apart: `mcp__fs__write_file(path=/tmp/**)` means the tools before the bracket, called with
 * such arguments. Pure: what the parts match is decided by the gate.
 */

/** Every pattern of a tool begins with it: `mcp__SERVER__TOOL`. */
export const RULE_PREFIX = 'mcp__';

/** A rule as it is written: the pattern alone, or the pattern with the agents it concerns. */
export type WrittenRule = string | { readonly tools: string; readonly agents: readonly string[] };

export function patternOf(rule: WrittenRule): string {
  return typeof rule === 'string' ? rule : rule.tools;
}

/** `mcp__git__* for codex`: names a rule to people, and tells two rules apart. */
export function describeRule(rule: WrittenRule): string {
  return typeof rule === 'string' ? rule : `${rule.tools} for ${rule.agents.join(', ')}`;
}

/** One argument, by its name or the way to it (`options.mode`), and the glob its value has to fit. */
export interface ArgumentCondition {
  readonly name: string;
  readonly value: string;
}

export type RulePattern =
  | { readonly ok: true; readonly tools: string; readonly conditions: readonly ArgumentCondition[] }
  | { readonly ok: false; readonly tools: string; readonly because: string };

export type Conditions =
  | { readonly ok: true; readonly conditions: readonly ArgumentCondition[] }
  | { readonly ok: false; readonly because: string };

export function parseRulePattern(pattern: string): RulePattern {
  const at = pattern.indexOf('(');
  if (at < 0) return { ok: true, tools: pattern, conditions: [] };
  const tools = pattern.slice(0, at);
  if (!pattern.endsWith(')')) return { ok: false, tools, because: "its '(' is not closed at the end" };
  return { tools, ...parseConditions(pattern.slice(at + 1, -1)) };
}

/** A comma ends a condition only where the next one begins: values may hold commas. */
const BETWEEN = /,\s*(?=[^=,\s]+\s*=)/;

/** `path=/tmp/**, mode=append`: what stands between the brackets. */
export function parseConditions(text: string): Conditions {
  if (text.trim() === '') return { ok: false, because: 'it names no argument between its brackets' };
  const conditions: ArgumentCondition[] = [];
  for (const part of text.split(BETWEEN)) {
    const at = part.indexOf('=');
    const [name, value] = [part.slice(0, at).trim(), part.slice(at + 1).trim()];
    if (at < 0) return { ok: false, because: `'${part.trim()}' does not say what the argument must be` };
    if (name === '') return { ok: false, because: `'${part.trim()}' names no argument before its '='` };
    if (value === '') return { ok: false, because: `'${part.trim()}' has no value after its '='` };
    conditions.push({ name, value });
  }
  return { ok: true, conditions };
}
