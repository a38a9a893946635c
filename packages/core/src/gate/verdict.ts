/** Decides whether a call may run. Pure: it reads rules, and talks to no server and no person. */
import type { PermissionRules } from '../config/schema.ts';
import { compileRule, covers, type Effect, type Rule } from './rule.ts';

/** What the rules say about a call. */
export interface Verdict {
  /** Run it, ask somebody, or do not. */
  readonly effect: Effect;
  /** Why, in words a person reads. */
  readonly because: string;
  /** The pattern that decided; absent where none did. */
  readonly rule?: string;
}

export interface GateFacts {
  readonly permissions: PermissionRules;
  /** Ids of every known server, and whether each is trusted. */
  readonly trust: ReadonlyMap<string, boolean>;
}

const BY_STRENGTH: readonly Effect[] = ['deny', 'ask', 'allow'];

const MAX_REMEMBERED = 10_000;

/** What may become of a call of one tool: the first whose arguments fit decides. The last one fits any. */
type Prospects = readonly { readonly fits: Rule['fits']; readonly verdict: Verdict }[];

/** Rules and trust do not change while a roster lives, so each pair is looked up once. */
export class Gate {
  readonly #rules: readonly Rule[];
  readonly #facts: GateFacts;
  /** By server, by tool. */
  readonly #prospects = new Map<string, Map<string, Prospects>>();
  #remembered = 0;

  constructor(facts: GateFacts) {
    this.#facts = facts;
    const known = [...facts.trust.keys()];
    this.#rules = BY_STRENGTH.flatMap(effect =>
      (facts.permissions[effect] ?? []).map(pattern => compileRule(effect, pattern, known)),
    );
  }

  /** The verdict on a call with these arguments. */
  judge(server: string, tool: string, args: unknown = {}): Verdict {
    const prospects = this.#prospects.get(server)?.get(tool) ?? this.#remember(server, tool);
    // Hardly any rule looks at arguments, and every call comes by here.
    const first = prospects[0];
    if (first && !first.fits) return first.verdict;
    for (const { fits, verdict } of prospects) if (!fits || fits(args)) return verdict;
    return this.#withoutRule(server);
  }

  /** All that may become of a call, in the order in which it is decided. The last one holds for any arguments. */
  prospects(server: string, tool: string): readonly { readonly verdict: Verdict; readonly conditional: boolean }[] {
    return this.#prospectsOf(server, tool).map(({ fits, verdict }) => ({ verdict, conditional: fits !== undefined }));
  }

  #remember(server: string, tool: string): Prospects {
    const prospects = this.#prospectsOf(server, tool);
    // Names may come from a client: what is remembered of them must not grow without end.
    if (this.#remembered < MAX_REMEMBERED) {
      this.#remembered++;
      const tools = this.#prospects.get(server) ?? new Map<string, Prospects>();
      this.#prospects.set(server, tools.set(tool, prospects));
    }
    return prospects;
  }

  #prospectsOf(server: string, tool: string): Prospects {
    // The rules stand strongest first.
    const prospects = this.#rules
      .filter(rule => covers(rule, server, tool))
      .map(({ effect, pattern, fits }) => ({
        fits,
        verdict: { effect, because: `the rule ${effect} ${pattern}`, rule: pattern },
      }));
    return [...prospects, { fits: undefined, verdict: this.#withoutRule(server) }];
  }

  #withoutRule(server: string): Verdict {
    if (this.#facts.trust.get(server)) return { effect: 'allow', because: `server '${server}' is trusted` };
    return { effect: 'ask', because: `no rule covers it, and server '${server}' is not trusted` };
  }
}
