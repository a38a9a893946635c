/** Asks 60,000 times whether we are there while a call runs, under ids of 4 KB, and reads no answer. */
import { once } from 'node:events';
import { sayText, serve } from './wire.ts';

const QUESTIONS = 60_000;
const BATCH = 100;

serve(['ask'], ({ id }) => void ask(id));

async function ask(id: number | undefined): Promise<void> {
  process.stdin.pause();
  const question = `${JSON.stringify({ jsonrpc: '2.0', id: 'i'.repeat(4096), method: 'ping' })}\n`;
  for (let asked = 0; asked < QUESTIONS; asked += BATCH) {
    if (!process.stdout.write(question.repeat(BATCH))) await once(process.stdout, 'drain');
  }
  sayText(id, 'done');
}
