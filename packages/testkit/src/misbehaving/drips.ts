/** Says everything one byte at a time. */
import { serve } from './wire.ts';

serve(['drip'], ({ id }) => {
  const text = 'ä'.repeat(200);
  const bytes = Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"${text}"}]}}\n`);
  const next = (at: number): void => {
    if (at < bytes.length) process.stdout.write(bytes.subarray(at, at + 1), () => setImmediate(next, at + 1));
  };
  next(0);
});
