/** A client on a pipe to a server it starts. It owns the process, and ends it on close. */
import { spawn } from 'node:child_process';
import { INITIALIZE, INITIALIZED, type Message, type RawClient, Waiting } from './json-rpc.ts';
import { cutLines, joined } from './lines.ts';

export async function openStdio(command: string, args: readonly string[]): Promise<RawClient> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Waiting();
  child.stdout.on(
    'data',
    cutLines(line => {
      const text = joined(line);
      if (text !== '') waiting.settle(JSON.parse(text) as Message);
    }),
  );
  child.on('exit', () => waiting.failAll('the server ended'));
  const send = (message: object) => void child.stdin.write(`${JSON.stringify(message)}\n`);
  const request = (method: string, params: object) => waiting.ask(method, params, send);
  await request('initialize', INITIALIZE);
  send(INITIALIZED);
  return {
    request,
    async close() {
      child.stdin.end();
      child.kill();
    },
  };
}
