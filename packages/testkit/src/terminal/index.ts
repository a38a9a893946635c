/** The built command line at a terminal of its own, as a person sits there. */
import { type IPty, spawn } from '@lydell/node-pty';
import type { Home } from '../harness/home.ts';
import { JUNCTOR } from '../harness/root.ts';
import { Rows } from './rows.ts';

export interface TestTerminal extends AsyncDisposable {
  /** What stands on the screen, from its first line on. */
  screen(): string;
  /** Every byte that was written to it. */
  bytes(): string;
  /** Types without Enter. */
  type(keys: string): void;
  /** Types a line and waits until what stands below it matches. Gives what stands there then. */
  enter(line: string, awaited: RegExp): Promise<string>;
  /** Waits until the screen matches. */
  shows(awaited: RegExp): Promise<string>;
  readonly pid: number;
  /** Its exit code. */
  readonly ended: Promise<number>;
}

export const CTRL_C = '\x03';
export const CTRL_D = '\x04';

export interface TerminalOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
}

/** Long enough for a busy machine; a test that waits longer says what it saw instead. */
const PATIENCE_MS = 60_000;

export function openTerminal(home: Home, args: readonly string[], options: TerminalOptions = {}): TestTerminal {
  const pty: IPty = spawn(process.execPath, [JUNCTOR, ...args], {
    name: 'xterm-256color',
    cols: options.columns ?? 140,
    rows: 50,
    cwd: options.cwd ?? home.project,
    env: { ...home.env, ...options.env },
  });
  const rows = new Rows();
  const watchers = new Set<() => void>();
  let bytes = '';
  let over = false;
  pty.onData(data => {
    bytes += data;
    rows.write(data);
    for (const watcher of [...watchers]) watcher();
  });
  const ended = new Promise<number>(resolve => {
    pty.onExit(({ exitCode }) => {
      over = true;
      resolve(exitCode);
    });
  });
  /** What stands below the last of these words, once they stand there more often than `seen`. */
  const below = (words: string, seen: number): string => {
    const pieces = rows.text.split(words);
    return pieces.length - 1 > seen ? (pieces.at(-1) as string) : '';
  };
  const shows = (awaited: RegExp, text = (): string => rows.text): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = text();
        if (!awaited.test(found)) return;
        stop();
        resolve(found);
      };
      const timer = setTimeout(() => {
        stop();
        reject(new Error(`${awaited} did not appear. The screen:\n${rows.text}`));
      }, PATIENCE_MS);
      const stop = (): void => {
        clearTimeout(timer);
        watchers.delete(look);
      };
      watchers.add(look);
      look();
    });
  return {
    screen: () => rows.text,
    bytes: () => bytes,
    type: keys => pty.write(keys),
    async enter(line, awaited) {
      const echo = `› ${line}\n`;
      const seen = rows.text.split(echo).length - 1;
      pty.write(`${line}\r`);
      return shows(awaited, () => below(echo, seen));
    },
    shows: awaited => shows(awaited),
    pid: pty.pid,
    ended,
    async [Symbol.asyncDispose]() {
      if (!over) pty.kill('SIGTERM');
      await ended;
    },
  };
}
