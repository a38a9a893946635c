/** Answers with numbers that a JavaScript program would round, and with a second id where it is asked to. */
import { serve } from './wire.ts';

export const EXACT = '{"content":[],"structuredContent":{"big":12345678901234567890,"one":1.0}}';

serve(['exact', 'imitate'], ({ id, params }) => {
  const more = params?.name === 'imitate' ? ',"id":999,"x":{}' : '';
  process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":${EXACT}${more}}\n`);
});
