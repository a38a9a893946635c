/** What becomes of a command whose answer does not arrive: its reader went away, or the disk it is written to is full. */
import { JunctorError } from '@junctor/core/light';
import { describeFailure } from './problem.ts';

export class Unheard {
  readonly #gone = new AbortController();
  #failed = false;

  /** Aborted once nobody reads any more, as after `| head -1`. That is no failure. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  /** The exit code of a command that ended with this one. */
  code(own: number): number {
    return this.#failed ? 1 : own;
  }

  /** Without a listener Node ends the process with a stack trace. */
  watch(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream): void {
    stderr.on('error', () => {});
    stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') return this.#gone.abort();
      if (!this.#failed) stderr.write(`${describeFailure(unwritten(error), false)}\n`);
      this.#failed = true;
      // Where the command is over already, nobody asks for its code any more.
      process.exitCode = 1;
    });
  }
}

function unwritten(error: NodeJS.ErrnoException): JunctorError {
  return new JunctorError('file_unwritable', 'The answer could not be written to stdout.', {
    why: error.message,
    hint: error.code === 'ENOSPC' ? 'the disk is full: make room, then try again' : 'send stdout to another place',
    cause: error,
  });
}
