/** Runs a command line in the working directory. Whatever it started ends with it. */
import { spawn } from 'node:child_process';
import { MOST_CHARS, NativeFailure, type NativeTool, numberArgument, textArgument } from './native-tool.ts';

const TIMEOUT_S = 120;

export const shell: NativeTool = {
  name: 'shell',
  description: 'Runs a shell command in the working directory and gives what it printed and its exit code.',
  inputSchema: {
    type: 'object',
    properties: {
      command: { type: 'string' },
      timeout_s: { type: 'integer', description: `It is ended after this long (default: ${TIMEOUT_S})` },
    },
    required: ['command'],
  },
  readOnly: false,
  async run(args, { cwd, env }, signal) {
    const command = textArgument(args, 'command');
    const seconds = numberArgument(args, 'timeout_s') ?? TIMEOUT_S;
    const timeUp = AbortSignal.timeout(seconds * 1000);
    const { output, code } = await finished(command, { cwd, env }, AbortSignal.any([signal, timeUp]));
    signal.throwIfAborted();
    if (timeUp.aborted) throw new NativeFailure(`${middleCut(output)}\n[ended after ${seconds} s]`);
    if (code !== 0) throw new NativeFailure(`${middleCut(output)}\n[exit code ${code}]`.trim());
    return middleCut(output) || '(no output)';
  },
};

interface Finished {
  readonly output: string;
  readonly code: number | null;
}

const WINDOWS = process.platform === 'win32';

function finished(command: string, where: Parameters<NativeTool['run']>[1], signal: AbortSignal): Promise<Finished> {
  return new Promise((resolve, reject) => {
    // A group of its own, so that what the command starts can be ended with it.
    const child = spawn(command, {
      cwd: where.cwd,
      env: { ...where.env },
      shell: true,
      detached: !WINDOWS,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const hear = (chunk: string): void => {
      // Only its beginning and its end are shown; what is between need not be kept.
      output = output.length > MOST_CHARS * 4 ? output.slice(0, MOST_CHARS) + output.slice(-MOST_CHARS) : output;
      output += chunk;
    };
    child.stdout.setEncoding('utf8').on('data', hear);
    child.stderr.setEncoding('utf8').on('data', hear);
    const end = (): void => endTree(child.pid);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    child.once('error', reject);
    child.once('close', code => {
      signal.removeEventListener('abort', end);
      resolve({ output, code });
    });
  });
}

function endTree(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    if (WINDOWS) spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' }).unref();
    else process.kill(-pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}

function middleCut(text: string): string {
  const trimmed = text.trimEnd();
  if (trimmed.length <= MOST_CHARS) return trimmed;
  const half = MOST_CHARS / 2;
  const left = trimmed.length - MOST_CHARS;
  return `${trimmed.slice(0, half)}\n[cut: ${left} characters]\n${trimmed.slice(-half)}`;
}
