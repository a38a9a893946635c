/** The upstream over a pipe, one JSON message a line. `--tools=N`, `--delay-ms=N`. Ends when its stdin ends. */
import type { Message } from '../raw-client/json-rpc.ts';
import { makeAnswers, serverOptions } from './answers.ts';

const options = serverOptions(process.argv);
const answersTo = makeAnswers(options);
let unfinished = '';

process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk: string) => {
  const lines = (unfinished + chunk).split('\n');
  unfinished = lines.pop() ?? '';
  let out = '';
  for (const line of lines) {
    if (line === '') continue;
    const message = JSON.parse(line) as Message;
    for (const text of answersTo(message)) {
      if (message.method === 'initialize' && options.delayMs > 0) writeLater(`${text}\n`);
      else out += `${text}\n`;
    }
  }
  if (out) process.stdout.write(out);
});
process.stdin.on('end', () => process.exit(0));

function writeLater(line: string): void {
  setTimeout(() => process.stdout.write(line), options.delayMs);
}
