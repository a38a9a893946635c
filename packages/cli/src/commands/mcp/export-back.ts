/** `mcp export --undo`, `--remove` and `--check`: what became of that which was written, and the ways back. */

import {
  type AgentTarget,
  checkWritten,
  describeDrift,
  HUB_KEY,
  learnSecrets,
  previewRemoval,
  previewUndo,
  removeWritten,
  type Undone,
  undoWrite,
  unifiedDiff,
} from '@junctor/core/config-write';
import { hubAddress } from '../../config-files/exports.ts';
import type { Context } from '../../context.ts';

export async function undoExport(context: Context, target: AgentTarget, dryRun: boolean): Promise<number> {
  const { file, dialect } = target;
  const undone = await (dryRun ? previewUndo(target) : undoWrite(target));
  const { kind } = undone;
  if (kind !== 'nothing') await learnSecrets(context.redactor, file, undone.before);
  const shown = kind === 'nothing' ? '' : unifiedDiff(file, undone.before, undone.after);
  context.answer({
    json: { agent: dialect.name, file, undone: kind, dry_run: dryRun },
    text: dryRun && kind !== 'nothing' ? shown || 'nothing would change' : undoneText(undone, file),
  });
  if (kind === 'entries')
    context.talk('somebody else has written this file since: only what Junctor had written is as it was before');
  return 0;
}

function undoneText(undone: Undone, file: string): string {
  switch (undone.kind) {
    case 'nothing':
      return `nothing to undo in ${file}`;
    case 'gone':
      return `took ${file} away: it was not there before`;
    case 'restored':
      return `${file} is as it was before`;
    case 'entries':
      return `put ${undone.ids.map(id => `'${id}'`).join(', ')} in ${file} back`;
  }
}

export async function removeExport(context: Context, target: AgentTarget, dryRun: boolean): Promise<number> {
  const { file, dialect } = target;
  const { ids, stayed, before, after } = await (dryRun ? previewRemoval(target) : removeWritten(target));
  await learnSecrets(context.redactor, file, before);
  const text =
    ids.length === 0
      ? `nothing to take out: Junctor has written nothing to ${file}`
      : dryRun
        ? unifiedDiff(file, before, after ?? '')
        : `took ${ids.map(id => `'${id}'`).join(', ')} out of ${file}`;
  context.answer({
    json: { agent: dialect.name, file, removed: ids, stayed: stayed.map(({ id }) => id), dry_run: dryRun },
    text,
  });
  for (const drift of stayed)
    context.talk(`left '${drift.id}' in the file: somebody changed it since Junctor wrote it`);
  return 0;
}

export async function checkExport(
  context: Context,
  target: AgentTarget,
  executor: string | undefined,
): Promise<number> {
  const { file, dialect } = target;
  const { written, drifts } = await checkWritten(target, await hubAddress(context, dialect, executor));
  const lines = drifts.map(drift => `${file}: ${describeDrift(drift)}`);
  const untouched = written.length === 0 ? `Junctor has written nothing to ${file}` : `${file} is as Junctor wrote it`;
  context.answer({
    json: { agent: dialect.name, file, written, drift: drifts },
    text: lines.length > 0 ? lines.join('\n') : untouched,
  });
  if (drifts.length > 0) {
    const via = written.includes(HUB_KEY) ? ' --via hub' : '';
    context.talk(
      `write it anew: ${context.commands.line(`mcp export ${dialect.name}${via} --write`)}; or take it out: --remove`,
    );
  }
  if (drifts.some(({ exposed }) => exposed))
    context.talk(`make its tokens worthless: ${context.commands.line(`hub token --agent ${dialect.name} --revoke`)}`);
  return drifts.length > 0 ? 1 : 0;
}
