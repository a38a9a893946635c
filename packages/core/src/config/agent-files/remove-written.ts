/** Takes out of an agent's file what Junctor wrote there, and leaves everything else. */
import { isObject } from '../../base/json/is-object.ts';
import { valueAt } from '../dialects/entry-reader.ts';
import { type AgentDocument, edited, readAgentDocument, sameLines } from './agent-document.ts';
import { Backups } from './backups.ts';
import { type Drift, hubDriftOf } from './drift.ts';
import { HUB_KEY } from './hub-entry.ts';
import { driftsIn, planWrite } from './plan-write.ts';
import { type AgentTarget, changeFile, fingerprintOf, storeChange } from './store-change.ts';
import { WrittenBook, type WrittenFile } from './written-book.ts';

export interface Removed {
  readonly ids: readonly string[];
  /** Changed by somebody else since, so they stay. */
  readonly stayed: readonly Drift[];
  readonly before: string;
  /** Null: nothing was in the file but what Junctor wrote, so it is gone. */
  readonly after: string | null;
}

export async function previewRemoval(target: AgentTarget): Promise<Removed> {
  const record = await new WrittenBook(target.dataDirectory).of(target.file);
  return planRemoval(target, await readAgentDocument(target.file), record);
}

export function removeWritten(target: AgentTarget): Promise<Removed> {
  return changeFile(target, async (document, former) => {
    const removed = await planRemoval(target, document, former);
    if (!former) return { record: former, result: removed };
    const unchanged = removed.after === removed.before;
    const record = unchanged
      ? { agent: former.agent, entries: {}, steps: former.steps }
      : await storeChange(target, document, removed.after, { entries: {}, former });
    return { record, result: removed };
  });
}

/** `hubAddress`: where the entry that leads to the hub has to lead; undefined where no hub runs. */
export async function checkWritten(
  target: AgentTarget,
  hubAddress?: string,
): Promise<{ readonly written: readonly string[]; readonly drifts: readonly Drift[] }> {
  const record = await new WrittenBook(target.dataDirectory).of(target.file);
  const written = Object.keys(record?.entries ?? {});
  if (!record || written.length === 0) return { written, drifts: [] };
  const drifts = driftsIn(target.dialect, await readAgentDocument(target.file), record.entries);
  const entry = record.entries[HUB_KEY];
  const moved = entry && hubAddress !== undefined ? hubDriftOf(HUB_KEY, entry.written, hubAddress) : undefined;
  // What somebody changed is told first: both are mended by the same command.
  return { written, drifts: moved && !drifts.some(({ id }) => id === HUB_KEY) ? [...drifts, moved] : drifts };
}

async function planRemoval(
  target: AgentTarget,
  document: AgentDocument,
  record: WrittenFile | undefined,
): Promise<Removed> {
  const before = document.bytes?.toString('utf8') ?? '';
  const known = Object.keys(record?.entries ?? {});
  if (!record || known.length === 0) return { ids: [], stayed: [], before, after: before };
  const original = await originalOf(target, document, record);
  if (original?.untouched) return { ids: known, stayed: [], before, after: original.text };
  const { after, stayed } = planWrite(target.dialect, document, record, []);
  const tidy = withoutMade(after, record.made);
  const ids = known.filter(id => !stayed.some(drift => drift.id === id));
  const isGone = original?.text === null && isEmpty(tidy.value);
  const isOriginal = original?.text && sameLines(original.text, tidy.text);
  return { ids, stayed, before, after: isGone ? null : isOriginal ? original.text : tidy.text };
}

interface Original {
  /** Null: there was no file. */
  readonly text: string | null;
  /** Nobody but Junctor has written the file since. */
  readonly untouched: boolean;
}

/** The file as it was before it held anything of Junctor's. */
async function originalOf(
  { dataDirectory }: AgentTarget,
  document: AgentDocument,
  { steps }: WrittenFile,
): Promise<Original | undefined> {
  let now = fingerprintOf(document.bytes);
  let untouched = true;
  for (const step of steps.toReversed()) {
    untouched &&= step.sha256After === now;
    now = step.sha256Before;
    if (Object.keys(step.entries).length > 0) continue;
    const bytes = step.backup === null ? undefined : await new Backups(dataDirectory).read(step.backup);
    return { text: bytes?.toString('utf8') ?? null, untouched };
  }
  return undefined;
}

function withoutMade(document: AgentDocument, made: WrittenFile['made']): AgentDocument {
  if (!made) return document;
  const left = valueAt(document.value, made);
  return left !== undefined && isEmpty(left) ? edited(document, [{ path: made, value: undefined }]) : document;
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.values(value).every(isEmpty);
}
