/** An error as words: for people with the command line at hand, on a terminal, a page or the other side of a wire. */
import { type ErrorCode, JunctorError, type NextStep } from './error.ts';

/** Keys that every surface shows alike. What is not known is not there. */
export interface Told {
  readonly code: ErrorCode;
  readonly message: string;
  readonly why?: string;
  /** What to type next, where there is a command for it. */
  readonly hint?: string;
}

/** What is the server's own may hold a secret; next steps are ours. */
export function toldOf(error: JunctorError, mask: (text: string) => string = asItIs): Told {
  const { code, message, why } = error;
  const hint = stepAtCommandLine(error);
  return { code, message: mask(message), ...(why && { why: mask(why) }), ...(hint && { hint }) };
}

/** The way back, for whoever was told by another process. */
export function errorFrom({ code, message, why, hint }: Told): JunctorError {
  return new JunctorError(code, message, { why, hint });
}

export function stepAtCommandLine({ command, hint }: NextStep): string | undefined {
  return command ?? hint;
}

/** One line for each of them, or several where a text has several. */
export function linesOf(message: string, why: string | undefined, step: string | undefined): string[] {
  return [message, ...(why ? [`why: ${why}`] : []), ...(step ? [`try: ${step}`] : [])];
}

function asItIs(text: string): string {
  return text;
}
