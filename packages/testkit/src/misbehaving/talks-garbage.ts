/** Prints its log to stdout, between and around its messages, and sends one answer nobody can read. */
import { sayText, serve } from './wire.ts';

process.stdout.write('Server starting on stdio...\n\n[info] ready {"not": "a message"\n');
serve(['echo', 'broken'], ({ id, params }) => {
  process.stdout.write('DEBUG handling call\r\n');
  if (params?.name === 'broken') process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[}\n`);
  else sayText(id, String(params?.arguments?.text));
});
