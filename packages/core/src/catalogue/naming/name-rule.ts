/** Which names somebody can read: the characters, the length, what is taken and what may stand nowhere. */
export interface NameRule {
  readonly characters: ReadonlySet<string>;
  readonly first: ReadonlySet<string>;
  /** What stands before the name where it is read has been taken off. */
  readonly maxLength: number;
  readonly reserved: ReadonlySet<string>;
  readonly forbidden: readonly string[];
}

/** Why a name cannot be used. */
export type Misfit = 'characters' | 'length' | 'reserved' | 'forbidden';

export function misfitOf(name: string, rule: NameRule): Misfit | undefined {
  if (!spelledBy(name, rule)) return 'characters';
  if (name.length > rule.maxLength) return 'length';
  if (rule.reserved.has(name)) return 'reserved';
  return rule.forbidden.length > 0 && rule.forbidden.some(part => name.includes(part)) ? 'forbidden' : undefined;
}

/** Rules live as long as their profiles, and ten thousand names are held against each. */
const PATTERNS = new WeakMap<NameRule, RegExp>();

function spelledBy(name: string, rule: NameRule): boolean {
  let pattern = PATTERNS.get(rule);
  if (!pattern) {
    pattern = spellingOf(rule.first, rule.characters);
    PATTERNS.set(rule, pattern);
  }
  return pattern.test(name);
}

/** Matches what begins with one of these characters and holds only those. */
export function spellingOf(first: ReadonlySet<string>, characters: ReadonlySet<string>): RegExp {
  return new RegExp(`^${classOf(first)}${classOf(characters)}*$`);
}

function classOf(signs: ReadonlySet<string>): string {
  return `[${[...signs].map(sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}]`;
}

/** `A-Za-z0-9_-` as a set: a `-` between two characters is a range, at the end it is itself. */
export function characterSet(written: string): ReadonlySet<string> {
  const all = new Set<string>();
  for (let at = 0; at < written.length; at++) {
    const [from, dash, to] = [written[at] as string, written[at + 1], written[at + 2]];
    if (dash === '-' && to !== undefined) {
      for (let code = from.charCodeAt(0); code <= to.charCodeAt(0); code++) all.add(String.fromCharCode(code));
      at += 2;
    } else all.add(from);
  }
  return all;
}

/** What every provider of today reads, where nobody says who will read it. */
export const COMMON_CHARACTERS = 'A-Za-z0-9_-';
export const COMMON_LENGTH = 64;

/** Tools of ours that stand beside those of servers: no name may imitate one. */
export const OWN_TOOLS: readonly string[] = [
  ...['find_tools', 'describe_tool', 'call_tool', 'read_result'],
  ...['mcp_resources_list', 'mcp_resource_templates_list', 'mcp_resource_read', 'mcp_prompts_list', 'mcp_prompt_get'],
];

export function commonRule(more = ''): NameRule {
  const characters = characterSet(more + COMMON_CHARACTERS);
  return { characters, first: characters, maxLength: COMMON_LENGTH, reserved: new Set(OWN_TOOLS), forbidden: [] };
}
