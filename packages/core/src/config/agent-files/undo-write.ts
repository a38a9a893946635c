/** Takes the last write to an agent's file back. */
import { stillLives } from '../../base/files/living.ts';
import {
  type AgentDocument,
  documentOf,
  edited,
  entryOf,
  placeOf,
  readAgentDocument,
  sameLines,
} from './agent-document.ts';
import { Backups } from './backups.ts';
import { withEntry } from './plan-write.ts';
import { type AgentTarget, changeFile, fingerprintOf, replaceFile } from './store-change.ts';
import { type Outcome, type Step, WrittenBook, type WrittenFile } from './written-book.ts';

export type Undone =
  | { readonly kind: 'nothing' }
  /** Byte for byte as it was. `gone`: there was no file. */
  | { readonly kind: 'restored' | 'gone'; readonly before: string; readonly after: string }
  /** Somebody else has written the file since: only the entries of Junctor are as they were. */
  | { readonly kind: 'entries'; readonly ids: readonly string[]; readonly before: string; readonly after: string };

export async function previewUndo(target: AgentTarget): Promise<Undone> {
  const record = await new WrittenBook(target.dataDirectory).of(target.file);
  const step = record?.steps.at(-1);
  if (!record || !step) return { kind: 'nothing' };
  return (await planUndo(target, await readAgentDocument(target.file), record, step)).told;
}

export function undoWrite(target: AgentTarget): Promise<Undone> {
  return changeFile(target, (document, record) => undo(target, document, record));
}

/** Lets go of what was written for this process. Whoever is last restores the file. */
export function releaseServers(target: AgentTarget): Promise<Undone> {
  return changeFile(target, async (document, record) => {
    const nothing: Undone = { kind: 'nothing' };
    if (!record?.holders) return { record, result: nothing };
    const holders = record.holders.filter(holder => holder.pid !== process.pid && stillLives(holder));
    if (holders.length > 0) return { record: { ...record, holders }, result: nothing };
    return undo(target, document, record);
  });
}

/** Files that were written for processes which are gone without having let go. */
export async function abandonedFiles(dataDirectory: string): Promise<readonly { file: string; agent: string }[]> {
  const all = await new WrittenBook(dataDirectory).all();
  return all.flatMap(([file, { agent, holders }]) => (holders && !holders.some(stillLives) ? [{ file, agent }] : []));
}

async function undo(
  target: AgentTarget,
  document: AgentDocument,
  record: WrittenFile | undefined,
): Promise<Outcome<Undone>> {
  const step = record?.steps.at(-1);
  if (!record || !step) return { record, result: { kind: 'nothing' } };
  const { bytes, told } = await planUndo(target, document, record, step);
  await replaceFile(document, bytes);
  await new Backups(target.dataDirectory).drop(step.backup);
  const { holders: _holders, made: _made, ...rest } = record;
  const steps = record.steps.slice(0, -1);
  const made = Object.keys(step.entries).length > 0 && record.made ? { made: record.made } : {};
  const isKnown = steps.length > 0 || Object.keys(step.entries).length > 0;
  return { record: isKnown ? { ...rest, ...made, entries: step.entries, steps } : undefined, result: told };
}

interface UndoPlan {
  readonly bytes: string | Buffer | null;
  readonly told: Undone;
}

async function planUndo(
  { dialect, file, dataDirectory }: AgentTarget,
  document: AgentDocument,
  record: WrittenFile,
  step: Step,
): Promise<UndoPlan> {
  const backup = step.backup === null ? undefined : await new Backups(dataDirectory).read(step.backup);
  const before = document.bytes?.toString('utf8') ?? '';
  if (fingerprintOf(document.bytes) === step.sha256After) {
    if (!backup) return { bytes: null, told: { kind: 'gone', before, after: '' } };
    return { bytes: backup, told: { kind: 'restored', before, after: backup.toString('utf8') } };
  }
  const former = await documentOf(file, backup);
  const ids = [...new Set([...Object.keys(record.entries), ...Object.keys(step.entries)])];
  const after = ids.reduce((now, id) => {
    const entry = entryOf(dialect, former, id);
    return entry === undefined ? withoutEntry(dialect, now, id) : withEntry(dialect, now, id, entry);
  }, document);
  // Where nothing but our entries had changed, not even an empty line is left behind.
  if (backup && sameLines(after.text, former.text))
    return { bytes: backup, told: { kind: 'restored', before, after: former.text } };
  return { bytes: after.text, told: { kind: 'entries', ids, before, after: after.text } };
}

function withoutEntry(dialect: AgentTarget['dialect'], document: AgentDocument, id: string): AgentDocument {
  if (!placeOf(dialect, document, id)) return document;
  return edited(document, dialect.write?.(document.value, [{ id, definition: undefined }]).edits ?? []);
}
