/** Decides whether a call may run. Pure: it reads rules, and talks to no server and no person. */
import type { PermissionRules } from '../config/schema.ts';
import { compileRule, covers, type Effect, type Rule } from './rule.ts';

export interface Verdict {
  readonly effect: Effect;
  /** Why, in words a person reads. */
  readonly because: string;
}

export interface GateFacts {
  readonly permissions: PermissionRules;
  /** Ids of every known server, and whether each is trusted. */
  readonly trust: ReadonlyMap<string, boolean>;
}

const BY_STRENGTH: readonly Effect[] = ['deny', 'ask', 'allow'];

const MAX_REMEMBERED = 10_000;

/** Rules and trust do not change while a roster lives, so each pair is judged once. */
export class Gate {
  readonly #rules: readonly Rule[];
  readonly #facts: GateFacts;
  readonly #verdicts = new Map<string, Verdict>();

  constructor(facts: GateFacts) {
    this.#facts = facts;
    const known = [...facts.trust.keys()];
    this.#rules = BY_STRENGTH.flatMap(effect =>
      (facts.permissions[effect] ?? []).map(pattern => compileRule(effect, pattern, known)),
    );
  }

  judge(server: string, tool: string): Verdict {
    const pair = `${server}\0${tool}`;
    let verdict = this.#verdicts.get(pair);
    if (!verdict) {
      verdict = this.#decide(server, tool);
      // Names may come from a client: what is remembered of them must not grow without end.
      if (this.#verdicts.size < MAX_REMEMBERED) this.#verdicts.set(pair, verdict);
    }
    return verdict;
  }

  #decide(server: string, tool: string): Verdict {
    // The rules stand strongest first: the first that covers the pair decides.
    const rule = this.#rules.find(candidate => covers(candidate, server, tool));
    if (rule) return { effect: rule.effect, because: `the rule ${rule.effect} ${rule.pattern}` };
    if (this.#facts.trust.get(server)) return { effect: 'allow', because: `server '${server}' is trusted` };
    return { effect: 'ask', because: `no rule covers it, and server '${server}' is not trusted` };
  }
}
