/** An error as a person reads it: what, why, what to try. */
import { isJunctorError, type JunctorError, stepAtCommandLine, type Told, toldOf } from '@junctor/core/light';
import type { TypedCommands } from './typed-commands.ts';

export function describeFailure(error: unknown, debug: boolean, commands?: TypedCommands): string {
  if (!isJunctorError(error)) return describeDefect(error, debug);
  const lines = [
    `error: ${error.message} (${error.code})`,
    ...reasonLines(error).map(line => commands?.inText(line) ?? line),
  ];
  if (debug && error.stack) lines.push(error.stack);
  return lines.join('\n');
}

/** Why, and what to try: below what went wrong. */
export function reasonLines(error: JunctorError): string[] {
  const step = stepAtCommandLine(error);
  return [...(error.why ? [indented('why', error.why)] : []), ...(step ? [indented('try', step)] : [])];
}

export function failureDocument(error: unknown, commands: TypedCommands): object {
  if (!isJunctorError(error)) return { error: { code: 'internal', message: String(error) } };
  const { server } = error;
  return { error: { ...toldFailure(error, commands), ...(server && { server }) } };
}

export function toldFailure(error: JunctorError, commands: TypedCommands): Told {
  const { hint, ...told } = toldOf(error);
  return { ...told, ...(hint !== undefined && { hint: commands.inText(hint) }) };
}

export function exitCodeOf(error: unknown): number {
  return isJunctorError(error) ? (EXIT_CODES[error.code] ?? 1) : 1;
}

const EXIT_CODES: Partial<Record<JunctorError['code'], number>> = {
  usage: 2,
  auth_required: 3,
  approval_required: 3,
  input_required: 3,
  model_required: 3,
  tool_locked: 3,
  trust_required: 3,
  cancelled: 130,
};

function describeDefect(error: unknown, debug: boolean): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const detail = debug ? stack : (stack.split('\n')[0] as string);
  return `error: A defect in Junctor. (internal)\n  why: ${detail}\n  try: run it again with --debug and report what it prints`;
}

function indented(label: string, text: string): string {
  return `  ${label}: ${text.replaceAll('\n', '\n    ')}`;
}
