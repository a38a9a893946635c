/**
 * Changes a file for the native tools. One change at a time for each file, on the bytes that were just read, put in place in
 * one step: calls of one answer run side by side, and a crash leaves the old file or the new one.
 */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { writeFileAtomic } from '@junctor/core/internal';
import { isJunctorError } from '@junctor/core/light';
import { NativeFailure } from './native-tool.ts';

/** Another program that writes the same file wins this often, then the call fails. */
const MAX_TRIES = 5;

/** As any program creates a file; the umask of the person narrows it. */
const NEW_FILE_MODE = 0o666;

/** From the bytes of a file to its new bytes. `before` is undefined where there is no file. */
export type FileEdit = (before: Buffer | undefined) => Uint8Array;

/** Shared by all conversations of one agent. */
export class FileChanges {
  /** The last change of each file that has not ended, by real path. */
  readonly #last = new Map<string, Promise<void>>();

  edit(path: string, edit: FileEdit, signal: AbortSignal): Promise<void> {
    return this.#inTurn(path, () => editNow(path, edit, signal));
  }

  /** Whatever was in it before. */
  write(path: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    return this.#inTurn(path, async () => {
      signal.throwIfAborted();
      await put(path, bytes);
    });
  }

  #inTurn(path: string, work: () => Promise<void>): Promise<void> {
    const turn = (this.#last.get(path) ?? Promise.resolve())
      .catch(() => {})
      .then(work)
      .finally(() => {
        if (this.#last.get(path) === turn) this.#last.delete(path);
      });
    this.#last.set(path, turn);
    return turn;
  }
}

async function editNow(path: string, edit: FileEdit, signal: AbortSignal): Promise<void> {
  for (let tries = 1; ; tries++) {
    const before = await bytesOf(path, signal);
    const after = edit(before);
    if (sameBytes(before, await bytesOf(path, signal))) return put(path, after);
    if (tries >= MAX_TRIES) throw new NativeFailure('Another program keeps changing this file. Try again later.');
  }
}

async function bytesOf(path: string, signal: AbortSignal): Promise<Buffer | undefined> {
  return readFile(path, { signal }).catch(error => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
}

function sameBytes(one: Buffer | undefined, other: Buffer | undefined): boolean {
  return one && other ? one.equals(other) : one === other;
}

async function put(path: string, bytes: Uint8Array): Promise<void> {
  if (!(await isReplaceable(path))) return writeFile(path, bytes);
  try {
    await writeFileAtomic(path, bytes, { newMode: NEW_FILE_MODE });
  } catch (error) {
    const { cause } = error as { cause?: NodeJS.ErrnoException };
    // The folder takes no new file, or the file is a mount of its own: its content can still be written.
    if (KEEPS_ITS_PLACE.has(cause?.code ?? '')) return writeFile(path, bytes);
    throw isJunctorError(error) ? new NativeFailure(`${error.message} ${error.why ?? ''}`.trim()) : error;
  }
}

const KEEPS_ITS_PLACE = new Set(['EACCES', 'EPERM', 'EBUSY', 'EXDEV', 'EROFS']);

/** A new file in its place would cut other names of it off, belong to somebody else, or replace a device. */
async function isReplaceable(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return true;
  return found.isFile() && found.nlink === 1 && (process.getuid === undefined || found.uid === process.getuid());
}
