/** Commands of the built program, for tests that must look in while a command runs. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type Home, JUNCTOR } from '@junctor/testkit';

export interface RunningCommand {
  /** Both streams so far. */
  seen(): string;
  /** Waits until the pattern shows, and returns its first group. */
  shows(pattern: RegExp): Promise<string>;
  type(text: string): void;
  interrupt(): void;
  readonly ended: Promise<{ readonly code: number | null; readonly seen: string }>;
}

/** Without a terminal, its stdin open until `type` or the end. */
export function start(home: Home, words: readonly string[], env: Record<string, string> = {}): RunningCommand {
  return follow(process.execPath, [JUNCTOR, ...words], home, env);
}

const TERMINAL = 'script';

export function missingTerminal(): string | undefined {
  return spawnSync(TERMINAL, ['--version']).status === 0 ? undefined : `the program \`${TERMINAL}\` is not installed`;
}

/** At a terminal of its own, as a person would. */
export function startAtTerminal(
  home: Home,
  words: readonly string[],
  env: Record<string, string> = {},
): RunningCommand {
  const command = [process.execPath, JUNCTOR, ...words].join(' ');
  const args = ['--quiet', '--flush', '--return', '--echo', 'always', '--command', command, '/dev/null'];
  return follow(TERMINAL, args, home, { SHELL: '/bin/sh', ...env });
}

function follow(program: string, args: readonly string[], home: Home, env: Record<string, string>): RunningCommand {
  const child = spawn(program, args, {
    cwd: home.project,
    env: { ...home.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => {});
  let text = '';
  const look = new EventTarget();
  const hear = (chunk: string): void => {
    text += chunk;
    look.dispatchEvent(new Event('more'));
  };
  child.stdout.setEncoding('utf8').on('data', hear);
  child.stderr.setEncoding('utf8').on('data', hear);
  const ended = once(child, 'close').then(([code]) => {
    look.dispatchEvent(new Event('more'));
    return { code: code as number | null, seen: text };
  });
  let over = false;
  void ended.then(() => {
    over = true;
  });
  return {
    seen: () => text,
    async shows(pattern) {
      for (;;) {
        const found = pattern.exec(text);
        if (found) return found[1] ?? found[0];
        if (over) throw new Error(`it ended without showing ${pattern}:\n${text}`);
        await Promise.race([once(look as never, 'more'), ended]);
      }
    },
    type: line => void child.stdin.write(line),
    interrupt: () => void child.kill('SIGINT'),
    ended,
  };
}
