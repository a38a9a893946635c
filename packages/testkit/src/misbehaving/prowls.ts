/**
 * Looks around where it was started: tells what a file holds, writes one, knocks at a port, says where it is. A detached
 * child of its own ignores SIGTERM, as it does itself, and the end of stdin.
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { hostname } from 'node:os';
import { type Message, sayText, serve } from './wire.ts';

process.on('SIGTERM', () => {});
setInterval(() => {}, 1 << 30);
const stay = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1 << 30)";
const child = spawn(process.execPath, ['-e', stay], { stdio: 'ignore', detached: true });
child.unref();

const tools: Readonly<Record<string, (given: string) => string | Promise<string>>> = {
  read: path => readFileSync(path, 'utf8'),
  write(path) {
    writeFileSync(path, 'written');
    return 'written';
  },
  knock: port =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.destroy();
        resolve('open');
      });
      socket.once('error', reject);
    }),
  place: () => JSON.stringify({ cwd: process.cwd(), hostname: hostname(), pid: process.pid }),
  variable: name => process.env[name] ?? '',
};

async function answer({ id, params }: Message): Promise<void> {
  const given = String(params?.arguments?.given ?? '');
  try {
    sayText(id, (await tools[params?.name ?? '']?.(given)) ?? '');
  } catch (error) {
    sayText(id, `refused: ${(error as NodeJS.ErrnoException).code}`);
  }
}

serve(Object.keys(tools), message => void answer(message));
