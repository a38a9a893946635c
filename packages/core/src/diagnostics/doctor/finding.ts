/** What the doctor saw at one step, as data: a terminal, a page and a program each show it in their own way. */
import type { JunctorError } from '../../base/error.ts';
import { toldOf } from '../../base/told.ts';

/** In the order in which a person reads them. What was not tried is not listed. */
export type StepName =
  | 'config'
  | 'program'
  | 'address'
  | 'spawned'
  | 'greeted'
  | 'eras'
  | 'auth'
  | 'tools'
  | 'schemas'
  | 'ended';

/** What was seen at one step. */
export interface Finding {
  /** Which step. */
  readonly step: StepName;
  /** `no`: the server cannot be used like this. `warn`: it can, and somebody should know something. */
  readonly outcome: 'ok' | 'warn' | 'no';
  /** One line. */
  readonly detail: string;
  /** What was seen besides, line by line. */
  readonly lines?: readonly string[];
  /** How long it took. */
  readonly ms?: number;
  /** What to do about it. */
  readonly fix?: string;
  /** Nothing is broken: somebody has to sign in, or to approve. */
  readonly person?: true;
  /** The same for programs. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** An error as the end of a step. */
export function failed(step: StepName, error: JunctorError, more: Partial<Finding> = {}): Finding {
  const { code, message, why, hint } = toldOf(error);
  return {
    step,
    outcome: 'no',
    detail: message,
    ...(why ? { lines: why.split('\n') } : {}),
    ...(hint ? { fix: hint } : {}),
    ...(code === 'auth_required' || code === 'trust_required' ? { person: true } : {}),
    ...more,
    facts: { code, ...more.facts },
  };
}

export function counted(count: number, noun: string, nouns: string = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}
