/**
 * The one port through which the audit, statistics, events and traces watch a call. An observer changes nothing. Every sender
 * reports through it: the library, which reads results, and the hub, which passes bytes on.
 */
import { isJunctorError } from '../base/error.ts';
import type { ProgressParams } from '../connections/rpc/conversation.ts';
import type { ToolCall } from '../permissions/caller.ts';
import type { Decision } from '../permissions/decision.ts';
import type { ToolResult } from '../results/tool-result.ts';
import { type Outcome, outcomeOf } from './retry.ts';

/** How a call ended. */
export interface CallEnd {
  /** `not_sent`: it never reached its server. `unknown`: it did, and nobody can say more. `done`: the server answered. */
  readonly outcome: Outcome;
  /** It ended as a denial, as a tool error, or without an answer. */
  readonly failed: boolean;
  /** Why, where it failed. */
  readonly code?: string | undefined;
  /** The size of the server's answer. */
  readonly bytes: number;
  /** How long the server took, where the sender measured it. The time a person takes is no part of it. */
  readonly servedMs?: number | undefined;
  /** The answer came from the cache. */
  readonly cached?: boolean | undefined;
  /** What the caller gets, where the sender read it. */
  readonly result?: ToolResult | undefined;
  /** What the caller gets in place of a result. */
  readonly error?: unknown;
}

/** Watches one call. Every method is optional. */
export interface CallObserver {
  /** How the observer names the call in its own reports; progress events carry the same. */
  readonly id?: string | undefined;
  /** The call was decided about. It is not sent yet. */
  judged?(call: ToolCall, decision: Decision): void;
  /** It is about to be sent. Nothing leaves before what this returns has settled, so that a crash cannot lose it. */
  sending?(call: ToolCall): Promise<void> | undefined;
  /** The server reports progress. */
  progressed?(call: ToolCall, progress: ProgressParams): void;
  /** It is over. Called once. */
  ended?(call: ToolCall, end: CallEnd): void;
}

/** The end of a call that failed. `sent`: it was on its way to its server. */
export function failedEnd(error: unknown, sent: boolean): CallEnd {
  const known = isJunctorError(error) ? error : undefined;
  const outcome = (sent ? known?.outcome : undefined) ?? outcomeOf(error, sent);
  return { outcome, failed: true, code: known?.code ?? 'internal', bytes: 0, error };
}

/** A call that was never made, or that its own caller gave up, says nothing about its tool. */
export function countsInStatistics({ outcome, code }: Pick<CallEnd, 'outcome' | 'code'>): boolean {
  return outcome !== 'not_sent' && code !== 'cancelled';
}

/** Two observers as one, each told in turn. */
export function observedBy(one: CallObserver, other: CallObserver | undefined): CallObserver {
  if (!other) return one;
  return {
    id: one.id ?? other.id,
    judged(call, decision) {
      one.judged?.(call, decision);
      other.judged?.(call, decision);
    },
    sending(call) {
      const waits = [one.sending?.(call), other.sending?.(call)].filter(wait => wait !== undefined);
      return waits.length > 0 ? Promise.all(waits).then(() => {}) : undefined;
    },
    progressed(call, progress) {
      one.progressed?.(call, progress);
      other.progressed?.(call, progress);
    },
    ended(call, end) {
      one.ended?.(call, end);
      other.ended?.(call, end);
    },
  };
}
