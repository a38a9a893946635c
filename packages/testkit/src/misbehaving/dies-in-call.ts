/** Works until it is called, then ends without an answer. */
import { serve } from './wire.ts';

serve(['crash'], () => {
  process.stderr.write('panic: index out of range\n', () => process.exit(134));
});
