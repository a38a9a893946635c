/** Answers with a line far above what anybody allows; `endless` never ends it. */
import { serve } from './wire.ts';

const CHUNK = Buffer.alloc(1024 * 1024, 'x');
const LONG_CHUNKS = 256;

function pour(chunks: number, done: () => void): void {
  if (chunks === 0) done();
  else process.stdout.write(CHUNK, () => pour(chunks - 1, done));
}

serve(['long', 'endless', 'echo'], ({ id, params }) => {
  if (params?.name === 'echo') process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[]}}\n`);
  else {
    process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`);
    pour(params?.name === 'long' ? LONG_CHUNKS : Number.POSITIVE_INFINITY, () => process.stdout.write('"}]}}\n'));
  }
});
