import { createInterface } from 'node:readline/promises';
import { JunctorError } from '@junctor/core/light';

/** Asks on the terminal. Anything but a clear yes is a no. */
export async function askYesNo(question: string, signal: AbortSignal): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} [y/N] `, { signal });
    return /^y(es)?$/i.test(answer.trim());
  } catch (error) {
    // Ctrl-C at the question is an answer of its own.
    if ((error as Error).name === 'AbortError') throw new JunctorError('cancelled', 'Interrupted.', { cause: error });
    throw error;
  } finally {
    terminal.close();
  }
}
