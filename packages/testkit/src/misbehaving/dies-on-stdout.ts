/** Complains on stdout, where nobody may, and ends: with `--greets` only once it was called, in the middle of a message. */
import { serve } from './wire.ts';

if (process.argv.includes('--greets')) {
  serve(['stop'], ({ id }) => {
    process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"te`, () => process.exit(0));
  });
} else {
  process.stdout.write('{"level":"fatal","msg":"no such database"}\nUsage: server [options]\nTry --help', () =>
    process.exit(2),
  );
}
