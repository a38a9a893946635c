/** Runs a program at this terminal until it ends. Signals are its business; whoever started it cleans up afterwards. */
import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { JunctorError } from '@junctor/core/light';

export interface AgentProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** The exit code of the program; 128 and the number of the signal that ended it. */
export async function startAgent({ command, args, env, cwd }: AgentProgram): Promise<number> {
  const child = spawn(command, args, { env: env as NodeJS.ProcessEnv, cwd, stdio: 'inherit' });
  const release = passSignalsTo(child);
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', error => reject(notStarted(command, error)));
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

function notStarted(command: string, error: NodeJS.ErrnoException): JunctorError {
  return new JunctorError('command_not_found', `Cannot start '${command}'.`, {
    why: error.code === 'ENOENT' ? `there is no program '${command}' on your PATH` : error.message,
    hint: 'install the agent, or say where it is: --program PATH',
    cause: error,
  });
}
