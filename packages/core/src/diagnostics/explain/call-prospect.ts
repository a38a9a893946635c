/** What would become of a call of a tool: allowed, asked about or denied, by which rule, and which arguments change that. */
import type { ToolDefinition } from '../../catalogue/entry.ts';
import type { Layer, LoadedServer } from '../../config/layers.ts';
import { placedFingerprint } from '../../config/trust/trust.ts';
import { type AskedCall, type Grant, standingOf } from '../../permissions/grants/grant.ts';
import type { Effect } from '../../permissions/rule.ts';
import type { Gate } from '../../permissions/verdict.ts';
import { type Origin, ruleOrigin, serverOrigin } from './origin.ts';

export interface CallProspect {
  readonly effect: Effect;
  readonly because: string;
  /** The pattern that decides; null where none does. */
  readonly rule: string | null;
  readonly at: Origin | null;
  /** Rules that hold for certain arguments only, and come first. */
  readonly unless: readonly { readonly effect: Effect; readonly rule: string; readonly at: Origin | null }[];
}

export interface CallFacts {
  readonly gate: Gate;
  readonly layers: readonly Layer[];
  readonly grants: readonly Grant[];
  /** Whose call it would be. */
  readonly agent: string | undefined;
}

export function callProspect(
  server: LoadedServer,
  tool: string,
  definition: ToolDefinition | undefined,
  { gate, layers, grants, agent }: CallFacts,
): CallProspect {
  const prospects = gate.prospects(server.id, tool, agent);
  const certain = prospects.findIndex(({ conditional }) => !conditional);
  const { effect, because, rule } = prospects[certain]?.verdict ?? gate.judge(server.id, tool, {}, agent);
  const unless = prospects.slice(0, certain).flatMap(({ verdict }) => {
    const { rule: pattern } = verdict;
    if (pattern === undefined || verdict.effect === effect) return [];
    return [{ effect: verdict.effect, rule: pattern, at: ruleOrigin(layers, verdict.effect, pattern) ?? null }];
  });
  const at = rule === undefined ? serverOrigin(server, 'trust') : (ruleOrigin(layers, effect, rule) ?? null);
  const verdict = { effect, because, rule: rule ?? null, at, unless };
  const granted = effect === 'ask' ? standing(server, { tool, rule, definition, agent }, grants) : undefined;
  return granted ? { ...verdict, effect: granted.effect, because: `${granted.because}; ${because}` } : verdict;
}

/** A yes of a person that still holds, or does not any more. */
function standing(
  server: LoadedServer,
  { tool, rule, definition, agent }: Pick<AskedCall, 'tool' | 'rule' | 'definition' | 'agent'>,
  grants: readonly Grant[],
): { readonly effect: Effect; readonly because: string } | undefined {
  const from = { fingerprint: placedFingerprint(server), file: server.file ?? null };
  const found = standingOf({ server: server.id, tool, args: {}, rule, from, definition, agent }, grants);
  if (found.kind === 'granted')
    return { effect: 'allow', because: `a person allowed it on ${found.grant.granted_at.slice(0, 10)}` };
  return found.kind === 'changed' ? { effect: 'ask', because: found.because } : undefined;
}
