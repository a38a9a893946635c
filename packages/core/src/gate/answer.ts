/** What a person may say when a call is asked about, in any of the ways a program may pass it on. Pure. */
import { JunctorError } from '../base/error.ts';
import { parseConditions } from '../config/rule-pattern.ts';
import { compileConditions } from './arguments.ts';

/** `once`: this call. `session`: this tool until the session ends. `always`: in later sessions too. */
export const GRANT_SCOPES = ['once', 'session', 'always'] as const;
export type GrantScope = (typeof GRANT_SCOPES)[number];

/** `true` is once, `false` is deny. */
export type Answer = boolean | GrantScope | 'deny' | ScopedAnswer;

export interface ScopedAnswer {
  readonly scope: GrantScope;
  /** Only for such arguments, written as in a rule: `path=/tmp/**`. Other calls of the tool are asked about again. */
  readonly when?: string | undefined;
}

export type Decision = { readonly scope: 'deny' } | ScopedAnswer;

export function readAnswer(answer: unknown, args: unknown): Decision {
  // Whoever returns nothing has not said yes.
  if (answer === undefined || answer === null || answer === false || answer === 'deny') return { scope: 'deny' };
  if (answer === true) return { scope: 'once' };
  const { scope, when } = (typeof answer === 'object' ? answer : { scope: answer }) as Partial<ScopedAnswer>;
  if (!GRANT_SCOPES.includes(scope as GrantScope)) {
    throw new JunctorError('usage', `'${String(scope)}' is no answer to whether a call may run.`, {
      hint: 'answer deny, once, session or always',
    });
  }
  if (when !== undefined) checkPattern(when, args);
  return { scope: scope as GrantScope, ...(when === undefined ? {} : { when }) };
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
