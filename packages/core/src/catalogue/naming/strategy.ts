/** How server and tool are joined to a public name. A strategy puts something before the tool, or behind it. */
import { JunctorError } from '../../base/error.ts';
import type { NameRule } from './name-rule.ts';

export interface Joining {
  before(server: string): string;
  after(server: string): string;
  /** Nothing is joined where no other server has a tool of this name. */
  readonly bare?: true;
  /** Every name carries its hash, not only those that had to be changed. */
  readonly hashed?: true;
  /** Signs of its own that not everybody can read. */
  readonly signs?: string;
}

const nothing = (): string => '';

/** By the words of `--names`, in the order in which they are promised. */
export const NAMING_STRATEGIES = {
  mcp__: { before: server => `mcp__${server}__`, after: nothing },
  hash: { before: server => `mcp_${server}_`, after: nothing, hashed: true },
  at: { before: nothing, after: server => `@${server}`, signs: '@' },
  mcp_: { before: server => `mcp_${server}_`, after: nothing },
  colons: { before: server => `${server}::`, after: nothing, signs: ':' },
  server_tool: { before: server => `${server}_`, after: nothing },
  auto: { before: server => `${server}_`, after: nothing, bare: true },
} as const satisfies Readonly<Record<string, Joining>>;

/** How server and tool are joined: `mcp__fs__read`, with `server_tool` `fs_read`. docs/names.md shows each. */
export type NamingStrategy = keyof typeof NAMING_STRATEGIES;

export function joiningOf(strategy: NamingStrategy): Joining {
  const joining: Joining | undefined = NAMING_STRATEGIES[strategy];
  if (joining) return joining;
  throw new JunctorError('usage', `There is no way of naming tools called '${strategy}'.`, {
    hint: `use one of ${Object.keys(NAMING_STRATEGIES).join(', ')}`,
  });
}

/** What tells names apart that would be the same. */
const HASH = '_00000000';
const HASH_SIGNS = '_0123456789abcdef';

/** Why no name of this strategy can be read by this rule; undefined where some can. */
export function whyStrategyUnfit(strategy: NamingStrategy, rule: NameRule): string | undefined {
  const { before, after } = joiningOf(strategy);
  // The shortest there is: shorter ones would tell nothing.
  const least = `${before('a')}b${HASH}${after('a')}`;
  const unread = [...least, ...HASH_SIGNS].find(sign => !rule.characters.has(sign));
  if (unread !== undefined) return `its names hold '${unread}', which cannot be read there`;
  const forbidden = rule.forbidden.find(part => least.includes(part));
  if (forbidden !== undefined) return `its names hold '${forbidden}', which may not stand in a name there`;
  if (least.length > rule.maxLength) return `names may have ${rule.maxLength} characters there, too few for it`;
  return undefined;
}

/** A strategy is never altered to fit: whoever chose it is told. */
export function expectFit(strategy: NamingStrategy, rule: NameRule, reader: string): void {
  const why = whyStrategyUnfit(strategy, rule);
  if (why === undefined) return;
  const others = (Object.keys(NAMING_STRATEGIES) as NamingStrategy[]).filter(one => !whyStrategyUnfit(one, rule));
  throw new JunctorError('usage', `The naming strategy '${strategy}' cannot be used for ${reader}.`, {
    why,
    hint:
      others.length > 0 ? `use one of ${others.join(', ')}` : 'allow longer names or more characters in its profile',
  });
}
