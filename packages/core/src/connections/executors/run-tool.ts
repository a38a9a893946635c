/** Runs a program of an executor to its end, for what it answers: not a server, and not talked to. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { JunctorError } from '../../base/error.ts';
import { type Environment, environmentFor } from '../process/environment.ts';
import type { Program } from '../process/find-command.ts';

export interface ToolOptions {
  readonly environment: Environment;
  readonly signal: AbortSignal;
  /** What it reads: never seen by others, as its arguments are. */
  readonly input?: string | undefined;
}

export interface ToolAnswer {
  readonly code: number | null;
  readonly output: string;
  /** What it complained about. */
  readonly words: string;
}

export async function runTool(program: Program, { environment, signal, input }: ToolOptions): Promise<ToolAnswer> {
  signal.throwIfAborted();
  const child = spawn(program.command, program.args, {
    env: environmentFor(environment, program.env),
    cwd: program.cwd,
    stdio: 'pipe',
    windowsHide: true,
    signal,
  });
  // Before anything else is done with it: a process that could not be made says so later, and has no pipes then.
  const closed = once(child, 'close') as Promise<[number | null]>;
  const heard = { output: '', words: '' };
  child.stdout?.setEncoding('utf8').on('data', text => {
    heard.output += text;
  });
  child.stderr?.setEncoding('utf8').on('data', text => {
    heard.words += text;
  });
  child.stdin?.on('error', () => {}).end(input ?? '');
  try {
    const [code] = await closed;
    return { code, ...heard, words: heard.words.trim() };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const { command } = program;
    throw new JunctorError('command_not_found', `The program '${command}' was not found.`, { cause: error });
  }
}
