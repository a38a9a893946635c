/** Answers each call with the result, or the error, that it is given as JSON, letter for letter. */
import { serve } from './wire.ts';

serve(['say'], ({ id, params }) => {
  const { result, error } = (params?.arguments ?? {}) as { result?: string; error?: string };
  const said = error === undefined ? `"result":${result}` : `"error":${error}`;
  process.stdout.write(`{"jsonrpc":"2.0","id":${id},${said}}\n`);
});
