/** Decides whether a call may run. Pure: it reads rules, and talks to no server and no person. */

import { patternOf, type WrittenRule } from '../config/schema/rule-pattern.ts';
import type { PermissionRules } from '../config/schema/schema.ts';
import { compileRule, concerns, covers, type Effect, type Rule } from './rule.ts';

/** What the rules say about a call. */
export interface Verdict {
  /** Run it, ask somebody, or do not. */
  readonly effect: Effect;
  /** Why, in words a person reads. */
  readonly because: string;
  /** The rule that decided, by its name; absent where none did. */
  readonly rule?: string;
}

export interface GateFacts {
  readonly permissions: PermissionRules;
  /** Rules that concern one agent, by its id. They count together with the general ones. */
  readonly agents?: Readonly<Record<string, PermissionRules | undefined>>;
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
  /** By agent where a rule names agents, by server, by tool. */
  readonly #prospects = new Map<string, Map<string, Map<string, Prospects>>>();
  readonly #knowsAgents: boolean;
  #remembered = 0;

  constructor(facts: GateFacts) {
    this.#facts = facts;
    const known = [...facts.trust.keys()];
    this.#rules = BY_STRENGTH.flatMap(effect =>
      rulesOf(facts, effect).map(written => compileRule(effect, written, known)),
    );
    this.#knowsAgents = this.#rules.some(({ agents }) => agents !== undefined);
  }

  /** The verdict on a call with these arguments. */
  judge(server: string, tool: string, args: unknown = {}, agent?: string): Verdict {
    const who = this.#knowsAgents ? agent : undefined;
    const prospects =
      this.#prospects
        .get(who ?? '')
        ?.get(server)
        ?.get(tool) ?? this.#remember(server, tool, who);
    // Hardly any rule looks at arguments, and every call comes by here.
    const first = prospects[0];
    if (first && !first.fits) return first.verdict;
    for (const { fits, verdict } of prospects) if (!fits || fits(args)) return verdict;
    return this.#withoutRule(server);
  }

  /** All that may become of a call, in the order in which it is decided. The last one holds for any arguments. */
  prospects(
    server: string,
    tool: string,
    agent?: string,
  ): readonly { readonly verdict: Verdict; readonly conditional: boolean }[] {
    const prospects = this.#prospectsOf(server, tool, agent);
    return prospects.map(({ fits, verdict }) => ({ verdict, conditional: fits !== undefined }));
  }

  #remember(server: string, tool: string, agent: string | undefined): Prospects {
    const prospects = this.#prospectsOf(server, tool, agent);
    // Names may come from a client: what is remembered of them must not grow without end.
    if (this.#remembered < MAX_REMEMBERED) {
      this.#remembered++;
      const servers = this.#prospects.get(agent ?? '') ?? new Map<string, Map<string, Prospects>>();
      const tools = servers.get(server) ?? new Map<string, Prospects>();
      this.#prospects.set(agent ?? '', servers.set(server, tools.set(tool, prospects)));
    }
    return prospects;
  }

  #prospectsOf(server: string, tool: string, agent: string | undefined): Prospects {
    // The rules stand strongest first.
    const prospects = this.#rules
      .filter(rule => concerns(rule, agent) && covers(rule, server, tool))
      .map(({ effect, name, fits }) => ({
        fits,
        verdict: { effect, because: `the rule ${effect} ${name}`, rule: name },
      }));
    return [...prospects, { fits: undefined, verdict: this.#withoutRule(server) }];
  }

  #withoutRule(server: string): Verdict {
    if (this.#facts.trust.get(server)) return { effect: 'allow', because: `server '${server}' is trusted` };
    return { effect: 'ask', because: `no rule covers it, and server '${server}' is not trusted` };
  }
}

/** The general rules of one effect, and those of single agents. */
function rulesOf({ permissions, agents = {} }: GateFacts, effect: Effect): WrittenRule[] {
  const ofAgents = Object.entries(agents).flatMap(([agent, own]) =>
    (own?.[effect] ?? []).map(rule => ({ tools: patternOf(rule), agents: [agent] })),
  );
  return [...(permissions[effect] ?? []), ...ofAgents];
}
