/**
 * Decides whether a call may run: offered and listed, then not locked, then rules, limits, grants, a person, and not locked
 * again. Every surface asks here, so that the same call gets the same decision and the same sentence everywhere.
 */

import { isJunctorError, JunctorError } from '../base/error.ts';
import { orAborted } from '../base/time/deadline.ts';
import type { ToolDefinition } from '../catalogue/entry.ts';
import type { ScopedAnswer } from './answer.ts';
import type { Approvals, Ask, Question } from './approvals.ts';
import type { Caller, ToolCall, ToolRef } from './caller.ts';
import {
  allowedByGrant,
  allowedByPerson,
  type Decision,
  type Denied,
  deniedByPerson,
  deniedByRules,
  nobodyToAsk,
  unanswered,
} from './decision.ts';
import type { AskedCall, Standing } from './grants/grant.ts';
import { changesBetween, describeChanges } from './lockfile/changes.ts';
import { termsOf, toolFingerprint } from './lockfile/tool-terms.ts';
import type { Verdict } from './verdict.ts';

/** What a decision is made from. Each part answers one question, and none of them decides alone. */
export interface AuthorizeDeps {
  /** Why this tool does not exist for callers: its server does not list it, or the config leaves it out. */
  readonly absent?: ((ref: ToolRef) => Denied | Promise<Denied | undefined> | undefined) | undefined;
  /** Why a lockfile keeps the tool from being called. Undefined at once where no lockfile concerns its server. */
  readonly locked?: ((ref: ToolRef) => Promise<Denied | undefined> | undefined) | undefined;
  /** What the rules say. */
  readonly judge: (call: ToolCall) => Verdict;
  /** Why the caller has to wait before it may call again. */
  readonly limit?: ((call: ToolCall) => Denied | undefined) | undefined;
  /** Where a person is asked. */
  readonly approvals: Approvals;
  /** Approvals that outlive their call. */
  readonly grants: GrantLookup;
  /** Definitions of tools. */
  readonly tools: ToolLookup;
}

/** Approvals that outlive their call. */
export interface GrantLookup {
  /** Whether anything was granted for this tool. */
  mentions(tool: ToolRef, caller: Caller): Promise<boolean>;
  /** What was granted for such a call, and whether it still holds. */
  standing(call: Granted, caller: Caller): Promise<Standing>;
  /** Keeps an approval that outlives its call. */
  keep(call: Granted, answer: ScopedAnswer, caller: Caller): Promise<void>;
}

/** Definitions of tools: an approval is bound to one. */
export interface ToolLookup {
  /** What is known of a tool without asking its server. */
  known(tool: ToolRef): ToolDefinition | undefined;
  /** What its server says now; undefined where it does not say. */
  listed(tool: ToolRef): Promise<ToolDefinition | undefined>;
}

type Granted = Omit<AskedCall, 'from' | 'agent'>;

/** How a person can be reached about one call. */
export interface AuthorizeOptions {
  /** Asked in place of the host's own `ask`. */
  readonly ask?: Ask | undefined;
  /** Withdraws the question. */
  readonly signal?: AbortSignal | undefined;
}

/** At once where nobody has to be asked and nothing has to be looked up: a promise would cost every call. */
export function authorize(
  call: ToolCall,
  deps: AuthorizeDeps,
  options: AuthorizeOptions = {},
): Decision | Promise<Decision> {
  const absent = deps.absent?.(call.ref);
  if (absent instanceof Promise) {
    // A cancelled call must not wait for a server that is still connecting.
    const listed = untilCancelled(absent, call.ref, options.signal);
    return notSentIfFailed(listed.then(denied => denied ?? authorizeOffered(call, deps, options)));
  }
  return absent ?? authorizeOffered(call, deps, options);
}

function authorizeOffered(
  call: ToolCall,
  deps: AuthorizeDeps,
  options: AuthorizeOptions,
): Decision | Promise<Decision> {
  const locked = deps.locked?.(call.ref);
  if (locked) {
    const free = untilCancelled(locked, call.ref, options.signal);
    return notSentIfFailed(free.then(denied => denied ?? authorizeByRules(call, deps, options)));
  }
  return authorizeByRules(call, deps, options);
}

/** Rules, then limits, then grants and a person where the rules say `ask`. */
function authorizeByRules(
  call: ToolCall,
  deps: AuthorizeDeps,
  options: AuthorizeOptions,
): Decision | Promise<Decision> {
  const verdict = deps.judge(call);
  if (verdict.effect === 'deny') return deniedByRules(call.ref, verdict);
  const limited = deps.limit?.(call);
  if (limited) return limited;
  if (verdict.effect === 'allow')
    return { effect: 'allow', by: 'rule', word: 'allow', because: verdict.because, rule: verdict.rule };
  return notSentIfFailed(authorizeAsked(call, deps, verdict, options));
}

function untilCancelled<T>(work: Promise<T>, { server, tool }: ToolRef, signal: AbortSignal | undefined): Promise<T> {
  return orAborted(work, signal).catch(error => {
    if (!signal?.aborted || isJunctorError(error, 'cancelled')) throw error;
    throw new JunctorError('cancelled', `The call of ${server}/${tool} was cancelled.`, {
      server,
      cause: signal.reason,
    });
  });
}

/** Whatever goes wrong before a decision, the call has not left. */
function notSentIfFailed(deciding: Promise<Decision>): Promise<Decision> {
  return deciding.catch(error => {
    if (isJunctorError(error)) error.outcome ??= 'not_sent';
    throw error;
  });
}

async function authorizeAsked(
  call: ToolCall,
  deps: AuthorizeDeps,
  verdict: Verdict,
  options: AuthorizeOptions,
): Promise<Decision> {
  const { approvals, grants, tools } = deps;
  const { ref, caller, arguments: args } = call;
  const granted = (definition: ToolDefinition | undefined): Granted => ({
    ...ref,
    args,
    rule: verdict.rule,
    definition,
  });
  let definition = (await grants.mentions(ref, caller)) ? await tools.listed(ref) : tools.known(ref);
  let standing = await grants.standing(granted(definition), caller);
  for (;;) {
    if (standing.kind === 'granted') return allowedByGrant(standing.grant);
    const changed = standing.kind === 'changed' ? standing : undefined;
    if (!approvals.reaches(options)) return nobodyToAsk(ref, changed?.because ?? verdict.because);
    const question: Question = {
      ...ref,
      // Arguments that are no object are refused before they get here.
      args: args as Question['args'],
      because: changed?.because ?? verdict.because,
      ...(changed && changed.changes.length > 0 ? { changed: changed.changes } : {}),
      ...(changed === undefined && verdict.rule === undefined ? { byDefault: true } : {}),
    };
    const ruling = await approvals.request(question, { ask: options.ask, signal: options.signal, caller });
    if (ruling.scope === 'expired') return unanswered(ref, ruling.waitMs);
    if (ruling.scope === 'deny') return deniedByPerson(ref, ruling);
    const lasting = ruling.scope !== 'once';
    const now = definition || lasting ? await tools.listed(ref) : undefined;
    const swapped = definition && now && swappedWhileAsked(definition, now);
    if (!swapped) {
      // The tool may have been locked while the question was open.
      const locked = await deps.locked?.(ref);
      if (locked) return locked;
      if (lasting) await grants.keep(granted(now), ruling, caller);
      return allowedByPerson(ruling);
    }
    [definition, standing] = [now, swapped];
  }
}

/** An approval of a tool that changed while the question was open approves nothing. */
function swappedWhileAsked(before: ToolDefinition, now: ToolDefinition): Standing | undefined {
  if (toolFingerprint(before) === toolFingerprint(now)) return undefined;
  const changes = describeChanges(changesBetween(termsOf(before), termsOf(now)));
  return { kind: 'changed', because: 'the tool changed while you were asked', changes };
}
