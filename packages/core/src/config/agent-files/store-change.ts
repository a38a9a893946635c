/** Puts a new text in the place of an agent's file: the backup first, then the write, then what there is to know of it. */
import { hash } from 'node:crypto';
import { readFile, unlink } from 'node:fs/promises';
import { isJunctorError, JunctorError } from '../../base/error.ts';
import { unwritable, writeFileAtomic } from '../../base/files/atomic-file.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { type AgentDocument, readAgentDocument } from './agent-document.ts';
import { Backups, isTooOld, removeOldBackups } from './backups.ts';
import { type Outcome, type Step, WrittenBook, type WrittenFile } from './written-book.ts';

export interface AgentTarget {
  readonly file: string;
  readonly dialect: Dialect;
  /** Where Junctor notes what it wrote. */
  readonly dataDirectory: string;
}

/** More than a person undoes in a row; each is a whole copy of the file. */
const MAX_STEPS = 10;

/** How often somebody else may write in the very moment between our reading and our writing. */
const MAX_ATTEMPTS = 5;

export type Work<T> = (document: AgentDocument, record: WrittenFile | undefined) => Promise<Outcome<T>>;

/** Reads the file and its record, and does the work, again where an agent wrote the file meanwhile. */
export function changeFile<T>(target: AgentTarget, work: Work<T>): Promise<T> {
  return new WrittenBook(target.dataDirectory).change(target.file, async known => {
    await removeOldBackups(target.dataDirectory);
    const record = known && { ...known, steps: known.steps.filter(({ at }) => !isTooOld(at)) };
    for (let attempt = 1; ; attempt++) {
      try {
        return await work(await readAgentDocument(target.file), record);
      } catch (error) {
        if (!isJunctorError(error, 'edit_outdated') || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  });
}

/** What a change makes of a file; null takes it away. */
export async function replaceFile(before: AgentDocument, after: string | Buffer | null): Promise<void> {
  const now = await readFile(before.file).catch(() => undefined);
  if (fingerprintOf(now) !== fingerprintOf(before.bytes)) {
    throw new JunctorError('edit_outdated', `Somebody else keeps writing ${before.file}.`, {
      hint: 'close the agent, then run the command again; nothing was written',
    });
  }
  if (after !== null) return writeFileAtomic(before.file, after);
  await unlink(before.file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw unwritable(before.file, error);
  });
}

/** Replaces the file so that it can be undone. */
export async function storeChange(
  { file, dialect, dataDirectory }: AgentTarget,
  before: AgentDocument,
  after: string | null,
  record: Omit<WrittenFile, 'agent' | 'steps'> & { readonly former: WrittenFile | undefined },
): Promise<WrittenFile> {
  const { former, ...kept } = record;
  const { entries = {}, steps = [] } = former ?? {};
  const backups = new Backups(dataDirectory);
  const backup = before.bytes === undefined ? null : await backups.keep(file, before.bytes);
  try {
    await replaceFile(before, after);
  } catch (error) {
    await backups.drop(backup);
    throw error;
  }
  const step: Step = {
    backup,
    sha256Before: fingerprintOf(before.bytes),
    sha256After: after === null ? null : fingerprintOf(Buffer.from(after)),
    entries,
    at: new Date().toISOString(),
  };
  const all = [...steps, step];
  for (const { backup: old } of all.slice(0, -MAX_STEPS)) await backups.drop(old);
  return { agent: dialect.name, ...kept, steps: all.slice(-MAX_STEPS) };
}

export function fingerprintOf(bytes: Buffer | undefined): string | null {
  return bytes === undefined ? null : hash('sha256', bytes, 'hex');
}
