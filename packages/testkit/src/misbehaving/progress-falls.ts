/** Reports progress that stands still and goes back, as when a server counts each of its steps anew. */
import { say, sayText, serve } from './wire.ts';

serve(['work'], ({ id, params }) => {
  const { progressToken } = (params as { _meta?: { progressToken?: unknown } })._meta ?? {};
  for (const progress of [1, 2, 2, 1, 3, 0]) {
    say({ method: 'notifications/progress', params: { progressToken, progress, message: `at ${progress}` } });
  }
  sayText(id, 'done');
});
