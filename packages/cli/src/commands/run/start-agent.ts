/** Runs a program at this terminal until it ends. Signals are its business; whoever started it cleans up afterwards. */
import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { findCommand, invocationOf, variableOf } from '@junctor/core/internal';
import { JunctorError, type Surroundings } from '@junctor/core/light';

/** Found before anything is made for the run: most often an agent that cannot be started is not installed. */
export async function findAgent(command: string, { cwd, env, platform }: Surroundings): Promise<string> {
  const found = await findCommand({ command, cwd }, defined(env), platform);
  if (found.kind === 'found') return found.file;
  throw new JunctorError('command_not_found', `Cannot start '${command}'.`, {
    why: found.kind === 'missing' ? `there is no program '${command}' on your PATH` : `${command} cannot be run`,
    hint: 'install the agent, or say where it is: --program PATH',
  });
}

export interface AgentProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly from: Surroundings;
}

/** The exit code of the program; 128 and the number of the signal that ended it. */
export async function startAgent({ file, args, from }: AgentProgram): Promise<number> {
  const { env, cwd, platform } = from;
  const interpreter = variableOf(defined(env), 'COMSPEC', platform);
  const invocation = invocationOf(file, args, { platform, interpreter });
  const child = spawn(invocation.file, invocation.args, {
    env: defined(env),
    cwd,
    stdio: 'inherit',
    windowsVerbatimArguments: invocation.verbatim,
  });
  const release = passSignalsTo(child);
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', error => reject(notStarted(file, error)));
      child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
    });
  } finally {
    release();
  }
}

/** Ctrl-C at a terminal reaches both already: sent twice, most agents would take it for "end at once". */
function passSignalsTo(child: ChildProcess): () => void {
  const atTerminal = process.stdin.isTTY === true;
  const pass = (signal: NodeJS.Signals): void => {
    if (signal !== 'SIGINT' || !atTerminal) child.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, pass);
  return () => {
    for (const signal of SIGNALS) process.off(signal, pass);
  };
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

function notStarted(file: string, error: Error): JunctorError {
  return new JunctorError('command_not_found', `Cannot start '${file}'.`, {
    why: error.message,
    hint: 'start it by hand to see what is wrong, or say which program to start: --program PATH',
    cause: error,
  });
}

function defined(env: Surroundings['env']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
