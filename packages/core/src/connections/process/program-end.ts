/** How and when a program ended. */
import type { ServerProcess } from './launch.ts';

export interface ProgramEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A pipe that a descendant holds open would keep the news of the end from us: its last words get this long to arrive. */
const LAST_WORDS_MS = 200;

/**
 * Tells once of the end, after the last byte that belongs to it. `untilSilent`: of an end without complaint not before
 * stdout has ended, since a descendant that holds it may still answer in the place of the program that started it.
 */
export function onProgramEnd(
  child: ServerProcess,
  { untilSilent }: { readonly untilSilent: boolean },
  announce: (end: ProgramEnd) => void,
): void {
  let over = false;
  let timer: NodeJS.Timeout | undefined;
  const finish = (): void => {
    clearTimeout(timer);
    if (over) return;
    over = true;
    announce({ code: child.exitCode, signal: child.signalCode });
  };
  const finishSoon = (): void => {
    const exited = child.exitCode !== null || child.signalCode !== null;
    const mayStillAnswer = untilSilent && child.exitCode === 0 && !child.stdout.closed;
    if (over || timer !== undefined || !exited || mayStillAnswer) return;
    timer = setTimeout(finish, LAST_WORDS_MS);
  };
  child.once('exit', finishSoon);
  child.stdout.once('close', finishSoon);
  child.once('close', finish);
  finishSoon();
}

export function describeEnd({ code, signal }: ProgramEnd): string {
  return signal === null ? `exited with code ${code}` : `was ended by ${signal}`;
}
