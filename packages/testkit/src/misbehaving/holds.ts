/** `hold` reports progress at once and answers, with as many bytes as it was asked for, only when `release` is called. */
import { say, sayText, serve } from './wire.ts';

const held: { readonly id: number | undefined; readonly bytes: number }[] = [];

serve(['hold', 'release'], ({ id, params }) => {
  const { name, arguments: args, _meta } = (params ?? {}) as typeof params & { _meta?: { progressToken?: unknown } };
  if (name === 'hold') {
    held.push({ id, bytes: Number(args?.bytes ?? 4) });
    const progressToken = _meta?.progressToken;
    if (progressToken !== undefined)
      say({ method: 'notifications/progress', params: { progressToken, progress: 1, message: 'held' } });
    return;
  }
  for (const call of held.splice(0)) sayText(call.id, 'x'.repeat(call.bytes));
  sayText(id, 'released');
});
