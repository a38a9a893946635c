/** Options that take a number: read alike, and refused in the same words, by every command. */
import { JunctorError } from '@junctor/core/light';
import { dashed } from './command.ts';

interface Bounds {
  readonly from?: number;
  readonly to?: number;
}

/** Undefined where the option is not given. */
export function wholeNumber(
  option: string,
  text: string | undefined,
  { from = 1, to = Number.MAX_SAFE_INTEGER }: Bounds = {},
): number | undefined {
  if (text === undefined) return undefined;
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isInteger(number) && number >= from && number <= to) return number;
  const range = to === Number.MAX_SAFE_INTEGER ? `from ${from} on` : `from ${from} to ${to}`;
  throw new JunctorError('usage', `${dashed(option)} cannot be '${text}'.`, { hint: `a number ${range}` });
}

const MAX_PORT = 65_535;

/** 0 takes a free one. */
export function portNumber(option: string, text: string | undefined): number | undefined {
  return wholeNumber(option, text, { from: 0, to: MAX_PORT });
}

/** What to tell of a port that could not be listened at; any other error is left as it is. */
export function portTaken(error: NodeJS.ErrnoException, option: string, port: number): Error {
  if (error.code !== 'EADDRINUSE') return error;
  return new JunctorError('port_in_use', `Port ${port} is in use by another program.`, {
    hint: `choose another with --${option} PORT; 0 takes a free one`,
    cause: error,
  });
}
