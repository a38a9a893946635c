import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Home } from './home.ts';
import { JUNCTOR } from './root.ts';

export interface CliOutcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Runs the built command line in a house, as a person without a terminal would. */
export async function junctor(home: Home, args: readonly string[], options: CliOptions = {}): Promise<CliOutcome> {
  const child = spawn(process.execPath, [JUNCTOR, ...args], {
    cwd: options.cwd ?? home.project,
    env: { ...home.env, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

async function text(stream: NodeJS.ReadableStream): Promise<string> {
  stream.setEncoding('utf8');
  let all = '';
  for await (const chunk of stream) all += chunk;
  return all;
}
