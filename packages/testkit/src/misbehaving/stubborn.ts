/** Ignores the end of its stdin and SIGTERM, and has a child of its own session that does the same. */
import { spawn } from 'node:child_process';
import { sayText, serve } from './wire.ts';

process.on('SIGTERM', () => {});
process.on('SIGINT', () => {});
setInterval(() => {}, 1 << 30);
const stay = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1 << 30)";
const child = spawn(process.execPath, ['-e', stay], { stdio: 'ignore', detached: true });
child.unref();
serve(['pids'], ({ id }) => sayText(id, JSON.stringify([process.pid, child.pid])));
