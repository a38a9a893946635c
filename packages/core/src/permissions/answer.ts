/** What a person may say when a call is asked about, in any of the ways a program may pass it on. Pure. */
import { JunctorError } from '../base/error.ts';
import { parseConditions } from '../config/schema/rule-pattern.ts';
import { compileConditions } from './arguments.ts';

/** `once`: this call. `session`: this tool until the session ends. `always`: in later sessions too. */
export const GRANT_SCOPES = ['once', 'session', 'always'] as const;
/** How long a yes holds. */
export type GrantScope = (typeof GRANT_SCOPES)[number];

/** `true` is once, `false` is deny. */
export type Answer = boolean | GrantScope | 'deny' | ScopedAnswer;

/** An answer with more than one word. */
export interface ScopedAnswer {
  /** How long the yes holds, or that it is a no. */
  readonly scope: GrantScope | 'deny';
  /** Only for such arguments, written as in a rule: `path=/tmp/**`. Other calls of the tool are asked about again. */
  readonly when?: string | undefined;
  /** Words for the model, with a no. */
  readonly note?: string | undefined;
  /** With `always`: for every agent, and not only for the one that asked. */
  readonly allAgents?: boolean | undefined;
  /** Who answered and where, for the audit. */
  readonly by?: string | undefined;
}

export function readAnswer(answer: unknown, args: unknown): ScopedAnswer {
  // Nothing is no approval.
  if (answer === undefined || answer === null || answer === false) return { scope: 'deny' };
  if (answer === true) return { scope: 'once' };
  const { scope, when, note, allAgents, by } = (
    typeof answer === 'object' ? answer : { scope: answer }
  ) as Partial<ScopedAnswer>;
  if (scope !== 'deny' && !GRANT_SCOPES.includes(scope as GrantScope)) {
    throw new JunctorError('usage', `'${String(scope)}' is no answer to whether a call may run.`, {
      hint: 'answer deny, once, session or always',
    });
  }
  if (note !== undefined && scope !== 'deny') {
    throw new JunctorError('usage', 'A note goes with a no: a call that may run brings its own answer.', {
      hint: 'answer deny, or leave the note out',
    });
  }
  if (when !== undefined && scope !== 'deny') checkPattern(when, args);
  return {
    scope: scope as ScopedAnswer['scope'],
    ...(when === undefined ? {} : { when }),
    ...(note === undefined ? {} : { note }),
    ...(allAgents === true ? { allAgents } : {}),
    ...(by === undefined ? {} : { by }),
  };
}

/** A yes for other arguments than those asked about is a mistake, not an answer. */
function checkPattern(when: string, args: unknown): void {
  const parsed = parseConditions(when);
  if (!parsed.ok) {
    throw new JunctorError('usage', `The pattern of arguments '${when}' cannot be read: ${parsed.because}.`, {
      hint: 'write it as path=/tmp/**, several apart by commas',
    });
  }
  if (compileConditions(parsed.conditions, 'narrow')(args)) return;
  throw new JunctorError('usage', `The pattern of arguments '${when}' does not cover the call that was asked about.`, {
    hint: 'widen it: * stands for anything but a slash, ** for anything',
  });
}
