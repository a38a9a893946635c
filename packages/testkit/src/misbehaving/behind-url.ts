/**
 * A server behind a URL, on the port that PORT names. With `--dies`, `--deaf` or `--late` it never answers, or not at once;
 * `--stubborn` ignores SIGTERM, as does a child in a session of its own.
 */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { answerHttp, sendText } from './http-wire.ts';

const wants = (flag: string): boolean => process.argv.includes(flag);
const LATE_MS = 700;

console.log('loading the model');
if (wants('--dies')) {
  console.error('fatal: the model file is damaged');
  process.exit(5);
}
const stay = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1 << 30)";
const child = wants('--stubborn')
  ? spawn(process.execPath, ['-e', stay], { stdio: 'ignore', detached: true })
  : undefined;
if (wants('--stubborn')) process.on('SIGTERM', () => {});
const tools = {
  pids: () => JSON.stringify([process.pid, ...(child ? [child.pid] : [])]),
  port: () => JSON.stringify({ PORT: process.env.PORT, args: process.argv.slice(2) }),
  crash: () => {
    console.error('panic: out of memory');
    process.exit(7);
  },
};
const http = createServer((request, response) => {
  void answerHttp(request, response, Object.keys(tools), ({ id, params }) =>
    sendText(response, id, tools[params?.name as keyof typeof tools]()),
  );
});
if (wants('--deaf')) setInterval(() => {}, 1 << 30);
else setTimeout(() => http.listen(Number(process.env.PORT), '127.0.0.1'), wants('--late') ? LATE_MS : 0);
