/**
 * Looks around where it was started: tells what a file holds, writes one, knocks at a port, runs a command, says where it is. A detached
 * child of its own ignores SIGTERM, as it does itself, and the end of stdin. With PORT it is behind a URL.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { hostname } from 'node:os';
import { answerHttp, sendText } from './http-wire.ts';
import { type Message, sayText, serve } from './wire.ts';

process.on('SIGTERM', () => {});
setInterval(() => {}, 1 << 30);
const stay = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1 << 30)";
const child = spawn(process.execPath, ['-e', stay], { stdio: 'ignore', detached: true });
child.unref();

/** Another one each time it is started: in a place of its own many have the same process id. */
const life = randomUUID();

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
  place: () =>
    JSON.stringify({
      cwd: process.cwd(),
      hostname: hostname(),
      pid: process.pid,
      life,
      words: process.argv.slice(2),
    }),
  run(line) {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', line], { encoding: 'utf8' });
    return `${status}: ${stdout}${stderr}`.trim();
  },
  variable: name => process.env[name] ?? '',
};

async function told({ params }: Message): Promise<string> {
  const given = String(params?.arguments?.given ?? '');
  try {
    return (await tools[params?.name ?? '']?.(given)) ?? '';
  } catch (error) {
    return `refused: ${(error as NodeJS.ErrnoException).code}`;
  }
}

const names = Object.keys(tools);
const { PORT } = process.env;
if (PORT === undefined) serve(names, message => void told(message).then(text => sayText(message.id, text)));
else {
  createServer((request, response) => {
    void answerHttp(request, response, names, message => {
      void told(message).then(text => sendText(response, message.id, text));
    });
  }).listen(Number(PORT), '127.0.0.1');
}
