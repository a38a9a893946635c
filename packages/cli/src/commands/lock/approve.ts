import { approveLock, concerns, type LockChange, type LockInspection, type LockTarget } from '@junctor/core';
import { JunctorError, nearest } from '@junctor/core/light';
import { defineCommand } from '../../command.ts';
import type { Context } from '../../context.ts';
import { counted, diffText, inspectionDocument } from './describe.ts';
import { expectLock, inspect, tellFailures } from './inspect.ts';

export const lockApprove = defineCommand({
  details: `Without a name, everything that differs is approved. Look first: junctor lock diff.

example: junctor lock approve fs/write_file`,
  async run(context, { words }) {
    const found = await inspect(context);
    expectLock(found);
    const targets = words.map(word => targetOf(word, found));
    const chosen = targets.length === 0 ? found.changes : found.changes.filter(change => concerns(change, targets));
    for (const target of targets) checkWhole(target, found.changes);
    if (chosen.length > 0) await approveLock(found, chosen);
    tellApproved(context, found, chosen);
    const code = tellFailures(context, found, 'so what is locked of it stays');
    return targets.length === 0 || found.failed.some(({ server }) => targets.some(one => one.server === server))
      ? code
      : 0;
  },
});

function tellApproved(context: Context, found: LockInspection, chosen: readonly LockChange[]): void {
  const text = chosen.length === 0 ? `nothing to approve in ${found.file}` : diffText(chosen);
  context.answer({ json: { ...inspectionDocument(found), approved: chosen }, text });
  if (chosen.length > 0) context.talk(`approved ${counted(chosen.length, 'change')} in ${found.file}`);
}

/** `fs` or `fs/write_file`. No id holds a slash; the name of a tool may. */
function targetOf(word: string, { now, lock, file }: LockInspection): LockTarget {
  const at = word.indexOf('/');
  const [server, tool] = at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
  const servers = new Set([...now.servers.keys(), ...now.unknown, ...(lock?.servers.keys() ?? [])]);
  if (!servers.has(server))
    throw unknown('server_unknown', `There is no server '${server}' in ${file}.`, server, servers);
  if (tool === undefined || now.unknown.has(server)) return { server, tool };
  const tools = new Set([
    ...(now.servers.get(server)?.tools.keys() ?? []),
    ...(lock?.servers.get(server)?.tools.keys() ?? []),
  ]);
  if (!tools.has(tool)) throw unknown('tool_not_found', `Server '${server}' has no tool '${tool}'.`, tool, tools);
  return { server, tool };
}

function unknown(code: 'server_unknown' | 'tool_not_found', sentence: string, name: string, names: Iterable<string>) {
  const near = nearest(name, [...names]);
  return new JunctorError(code, sentence, { hint: near ? `did you mean '${near}'?` : 'junctor lock diff' });
}

/** One tool of a server that is another one now cannot be approved alone: it would stay hidden. */
function checkWhole({ server, tool }: LockTarget, changes: readonly LockChange[]): void {
  const whole = changes.some(change => change.server === server && change.kind.startsWith('server-'));
  if (tool === undefined || !whole) return;
  throw new JunctorError('usage', `The tool '${tool}' cannot be approved without its server '${server}'.`, {
    server,
    why: 'the server itself is new, gone, or defined otherwise than in the lockfile',
    hint: `junctor lock approve ${server}`,
  });
}
