/** Arguments of a call that no JSON can hold: the caller's mistake, and no server has seen them. Pure. */
import { isJunctorError, JunctorError, sentenceOf } from '../base/error.ts';
import { nestsTooDeeply } from '../results/nesting.ts';
import type { ToolRef } from './call.ts';

/** The error of a call as it is thrown on. Looked at only after a failure: checking beforehand would cost every call. */
export function namingArguments(error: unknown, { server, tool }: ToolRef, args: unknown): unknown {
  if (isJunctorError(error) || !isUnwritable(args, error)) return error;
  const named = new JunctorError(
    'usage',
    `The arguments for '${tool}' of server '${server}' cannot be written as JSON.`,
    {
      server,
      why:
        error instanceof RangeError
          ? 'lists and objects stand in each other more than 500 times'
          : sentenceOf(error).replace(/\n.*/s, ''),
      hint: 'pass plain values that JSON can hold: no circles, no BigInt, no endless nesting',
      cause: error,
      unsent: true,
    },
  );
  named.outcome = 'not_sent';
  return named;
}

function isUnwritable(args: unknown, error: unknown): boolean {
  // How many levels are too many depends on where the stack stands.
  if (error instanceof RangeError && nestsTooDeeply(args)) return true;
  try {
    JSON.stringify(args);
    return false;
  } catch {
    return true;
  }
}
