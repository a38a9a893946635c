/**
 * A copy of what a hub keeps in its data directory, made while it runs. The copy is a data directory itself: a hub can be
 * started on it.
 */

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { isJunctorError, JunctorError } from '@junctor/core';
import { PRIVATE_DIRECTORY, PRIVATE_FILE, sentenceOf } from '@junctor/core/internal';
import { JOURNAL_FILE } from './calls/journal.ts';
import { DATABASE_FILE } from './store/open-store.ts';

export interface BackupOptions {
  readonly dataDirectory: string;
  /** Where the copy is to be. Nothing may be there yet. */
  readonly target: string;
  /** Whether `hub.db` is in use: not where the hub keeps its data in PostgreSQL. */
  readonly withDatabase: boolean;
}

export interface Backup {
  readonly directory: string;
  readonly files: readonly string[];
  readonly bytes: number;
}

/** What tells of a life of the hub, and what is made again by itself: neither belongs into a copy. */
const LEFT_OUT = /^(hub\.(json|sock|log|db.*)|journal|artifacts|catalogue|.*\.lock|\..*\.tmp)$/;

/** All pages at once: a copy in steps begins anew whenever the hub writes in between. */
const ALL_PAGES = 2 ** 31 - 1;

export async function backUp({ dataDirectory, target, withDatabase }: BackupOptions): Promise<Backup> {
  const [from, directory] = [resolve(dataDirectory), resolve(target)];
  refuseBadPlace(from, directory);
  // It gets its name when it is whole: what bears the name can be relied on.
  const draft = join(dirname(directory), `.${basename(directory)}.${randomUUID()}.tmp`);
  try {
    await mkdir(draft, { recursive: true, mode: PRIVATE_DIRECTORY });
    const copied: string[] = [];
    // A call that is written to the database meanwhile stands in both, and is counted once; the other way round it could be in
    // neither. Secrets come last: what the database names was stored before.
    await mkdir(dirname(join(draft, JOURNAL_FILE)), { mode: PRIVATE_DIRECTORY });
    if (await copyIfThere(from, draft, JOURNAL_FILE)) copied.push(JOURNAL_FILE);
    if (withDatabase && existsSync(join(from, DATABASE_FILE))) {
      await copyDatabase(join(from, DATABASE_FILE), join(draft, DATABASE_FILE));
      copied.push(DATABASE_FILE);
    }
    copied.push(...(await copyFolder(from, draft, '')));
    if (copied.length === 0) throw nothingThere(from);
    const sizes = await Promise.all(copied.map(async file => (await stat(join(draft, file))).size));
    await rename(draft, directory);
    return { directory, files: copied.sort(), bytes: sizes.reduce((sum, size) => sum + size, 0) };
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (isJunctorError(error)) throw error;
    throw new JunctorError('database_failed', `The hub's data cannot be copied to ${directory}.`, {
      why: sentenceOf(error),
      hint: 'check that there is room, and that you may read the data directory and write there',
      cause: error,
    });
  }
}

function refuseBadPlace(from: string, directory: string): void {
  if (!existsSync(from)) throw nothingThere(from);
  const way = relative(from, directory);
  const leadsOut = way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
  if (!leadsOut)
    throw new JunctorError('usage', 'A copy cannot lie inside the data directory.', {
      why: `${directory} is inside ${from}: the next copy would hold this one`,
      hint: 'name a directory elsewhere, best on another disk',
    });
  if (existsSync(directory))
    throw new JunctorError('usage', `There is something at ${directory} already.`, {
      hint: 'name a directory that does not exist: it is made',
    });
}

async function copyDatabase(from: string, to: string): Promise<void> {
  // Made with its mode, before anything is in it.
  await (await open(to, 'wx', PRIVATE_FILE)).close();
  const source = new DatabaseSync(from, { readOnly: true });
  try {
    await backup(source, to, { rate: ALL_PAGES });
  } finally {
    source.close();
  }
  const copy = new DatabaseSync(to);
  try {
    const found = copy.prepare('pragma quick_check').all() as { quick_check: string }[];
    if (found[0]?.quick_check !== 'ok') throw damaged(from, found);
  } finally {
    copy.close();
  }
}

/** Every file that is not left out, with those of its folders. Files are replaced, never changed: each is whole. */
async function copyFolder(from: string, to: string, folder: string): Promise<string[]> {
  const copied: string[] = [];
  for (const entry of await readdir(join(from, folder))) {
    if (LEFT_OUT.test(entry)) continue;
    const name = join(folder, entry);
    // Also what a link leads to: somebody may have put a part elsewhere.
    const found = await stat(join(from, name)).catch(() => undefined);
    if (found?.isDirectory()) {
      await mkdir(join(to, name), { mode: PRIVATE_DIRECTORY });
      copied.push(...(await copyFolder(from, to, name)));
    } else if (found?.isFile() && (await copyIfThere(from, to, name))) copied.push(name);
  }
  return copied;
}

/** False for a file that is gone by now. */
async function copyIfThere(from: string, to: string, name: string): Promise<boolean> {
  try {
    await copyFile(join(from, name), join(to, name));
    await chmod(join(to, name), PRIVATE_FILE);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

function nothingThere(directory: string): JunctorError {
  return new JunctorError('not_found', 'There is nothing to copy.', {
    why: `${directory} holds no data of a hub`,
    hint: '--data DIR names another data directory',
  });
}

function damaged(file: string, found: readonly { readonly quick_check: string }[]): JunctorError {
  return new JunctorError('database_failed', `The hub's database ${file} is damaged: no copy was kept.`, {
    why: found.map(({ quick_check }) => quick_check).join('\n'),
    hint: 'put back the last good copy',
  });
}
