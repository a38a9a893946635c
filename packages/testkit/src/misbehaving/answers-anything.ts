/**
 * Answers `answer` with whatever result it is given. `read`, `repeat` and `write` count how often they ran; the first says
 * that it only reads, the second that it may be run twice, the third nothing. `announce` says that its list changed. A file
 * named as the first argument holds output schemas by name: each is a further tool that answers like `answer`.
 */
import { readFileSync } from 'node:fs';
import { say, sayText, serveList, toolNamed } from './wire.ts';

const ANNOTATIONS: Readonly<Record<string, object>> = {
  read: { readOnlyHint: true },
  repeat: { idempotentHint: true },
};
const file = process.argv[2];
const SCHEMAS: Readonly<Record<string, unknown>> = file === undefined ? {} : JSON.parse(readFileSync(file, 'utf8'));
const runs = new Map<string, number>();

serveList(
  ({ id }) => {
    const names = ['answer', 'read', 'repeat', 'write', 'announce'];
    const tools = names.map(name => ({ ...toolNamed(name), annotations: ANNOTATIONS[name] ?? {} }));
    const declaring = Object.entries(SCHEMAS).map(([name, outputSchema]) => ({ ...toolNamed(name), outputSchema }));
    return { id, result: { tools: [...tools, ...declaring] } };
  },
  ({ id, params }) => {
    const { name = '', arguments: args = {} } = params ?? {};
    if (name === 'answer' || Object.hasOwn(SCHEMAS, name)) return say({ id, result: args.result ?? {} });
    const run = (runs.get(name) ?? 0) + 1;
    runs.set(name, run);
    if (name === 'announce') say({ method: 'notifications/tools/list_changed' });
    sayText(id, `${name} ${run}`);
  },
);
