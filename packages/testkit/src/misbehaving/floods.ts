/** Sends 100,000 log messages while a call runs, each of `size` characters, then its answer. */
import { once } from 'node:events';
import { sayText, serve } from './wire.ts';

const MESSAGES = 100_000;
const BATCH = 500;

serve(['flood'], ({ id, params }) => void flood(id, Number(params?.arguments?.size ?? 100)));

async function flood(id: number | undefined, size: number): Promise<void> {
  for (let sent = 0; sent < MESSAGES; sent += BATCH) {
    let batch = '';
    for (let i = sent; i < sent + BATCH; i++) {
      const params = { level: 'info', logger: 'flood', data: `message ${i} ${'x'.repeat(size)}` };
      batch += `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params })}\n`;
    }
    if (!process.stdout.write(batch)) await once(process.stdout, 'drain');
  }
  sayText(id, 'done');
}
