/** Answers every call twice, differently. */
import { sayText, serve } from './wire.ts';

serve(['echo'], ({ id, params }) => {
  sayText(id, String(params?.arguments?.text));
  sayText(id, 'and again');
});
