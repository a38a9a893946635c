/** Runs a command line in the working directory. Programs that it started end with it, those in the background too. */
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitAtMost } from '@junctor/core/internal';
import {
  MOST_CHARS,
  NativeFailure,
  type NativeTool,
  numberArgument,
  textArgument,
  type Workplace,
} from './native-tool.ts';

const TIMEOUT_S = 120;

/** A model that counts in milliseconds still gets a timeout that a timer can hold. */
const MAX_TIMEOUT_S = 3600;

/** So long programs that the command left behind have to end by themselves. */
const GRACE_MS = 250;

/** So long the last of the output is waited for. */
const DRAIN_MS = 2000;

export const shell: NativeTool = {
  name: 'shell',
  description:
    'Runs a shell command in the working directory and gives what it printed and its exit code. ' +
    'Programs that it leaves in the background are ended.',
  inputSchema: {
    type: 'object',
    properties: {
      command: { type: 'string' },
      timeout_s: { type: 'integer', description: `Seconds, 1 to ${MAX_TIMEOUT_S} (default: ${TIMEOUT_S})` },
    },
    required: ['command'],
  },
  readOnly: false,
  async run(args, { cwd, env }, signal) {
    const command = textArgument(args, 'command');
    const seconds = Math.min(Math.max(1, numberArgument(args, 'timeout_s') ?? TIMEOUT_S), MAX_TIMEOUT_S);
    const timeUp = AbortSignal.timeout(seconds * 1000);
    const { output, code, leftRunning } = await finished(command, { cwd, env }, AbortSignal.any([signal, timeUp]));
    signal.throwIfAborted();
    if (timeUp.aborted) throw new NativeFailure(`${middleCut(output)}\n[ended after ${seconds} s]`);
    const note = leftRunning ? '\n[programs that it left running were ended]' : '';
    if (code !== 0) throw new NativeFailure(`${middleCut(output)}\n[exit code ${code}]${note}`.trim());
    return (middleCut(output) || '(no output)') + note;
  },
};

interface Finished {
  readonly output: string;
  readonly code: number | null;
  /** Whether programs of it had to be ended. */
  readonly leftRunning: boolean;
}

const WINDOWS = process.platform === 'win32';

function finished(command: string, where: Pick<Workplace, 'cwd' | 'env'>, signal: AbortSignal): Promise<Finished> {
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
    // Not `close`: that waits for every program that still holds the output.
    child.once(
      'exit',
      code =>
        void ended(child).then(leftRunning => {
          signal.removeEventListener('abort', end);
          resolve({ output, code, leftRunning });
        }),
    );
  });
}

/** Ends what a command left running, and reads the last of its output. True where something had to be ended. */
async function ended(child: ChildProcess): Promise<boolean> {
  const closed = new Promise<void>(resolve => void child.once('close', () => resolve()));
  const group = child.pid;
  if (hasMembers(group)) await sleep(GRACE_MS);
  const leftRunning = hasMembers(group);
  if (leftRunning) endTree(group);
  // A program that left the group can keep the output open for ever.
  await waitAtMost(DRAIN_MS, closed);
  child.stdout?.destroy();
  child.stderr?.destroy();
  return leftRunning;
}

function hasMembers(group: number | undefined): boolean {
  if (group === undefined || WINDOWS) return false;
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
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
