/** Answers under ids that nobody used, and under an id that is no number; `right` answers as it should. */
import { say, sayText, serve } from './wire.ts';

serve(['wrong', 'right'], ({ id, params }) => {
  if (params?.name === 'right') return sayText(id, 'ok');
  sayText((id ?? 0) + 1000, 'for somebody else');
  say({ id: { deep: id }, result: {} });
  say({ id: null, error: { code: -32700, message: 'Parse error' } });
});
