/**
 * Answers `answer` with whatever result it is given. `read`, `repeat` and `write` count how often they ran; the first says
 * that it only reads, the second that it may be run twice, the third nothing. `announce` says that its list changed.
 */
import { say, sayText, serveList, toolNamed } from './wire.ts';

const ANNOTATIONS: Readonly<Record<string, object>> = {
  read: { readOnlyHint: true },
  repeat: { idempotentHint: true },
};
const runs = new Map<string, number>();

serveList(
  ({ id }) => {
    const names = ['answer', 'read', 'repeat', 'write', 'announce'];
    const tools = names.map(name => ({ ...toolNamed(name), annotations: ANNOTATIONS[name] ?? {} }));
    return { id, result: { tools } };
  },
  ({ id, params }) => {
    const { name = '', arguments: args = {} } = params ?? {};
    if (name === 'answer') return say({ id, result: args.result ?? {} });
    const run = (runs.get(name) ?? 0) + 1;
    runs.set(name, run);
    if (name === 'announce') say({ method: 'notifications/tools/list_changed' });
    sayText(id, `${name} ${run}`);
  },
);
