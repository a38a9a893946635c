/** Answers each call with the result that it is given as JSON, letter for letter. */
import { serve } from './wire.ts';

serve(['say'], ({ id, params }) => {
  const { result } = (params?.arguments ?? {}) as { result?: string };
  process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":${result}}\n`);
});
