/**
 * Reads files that may have come with a checkout. An archive can hold a named pipe, which no read ever finishes, and a link
 * can lead to a device without an end. So only regular files are read, up to a limit, and opening one never waits.
 */
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** More than anybody writes by hand or with a program. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Throws as `readFile` does, and for anything that is no regular file. */
export async function readRegularFile(file: string, maxBytes = MAX_BYTES): Promise<Buffer> {
  // Without O_NONBLOCK, opening a pipe waits for a writer. Windows does not have it, and needs none.
  await using handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const found = await handle.stat();
  if (!isOrdinary(found)) throw new Error('it is no regular file');
  return await readWhole(handle, found.size, maxBytes);
}

/** The same for a file that a person named: a pipe, such as a shell makes for `<(…)`, is read up to the limit. */
export async function readNamedFile(file: string, maxBytes = MAX_BYTES): Promise<Buffer> {
  await using handle = await open(file);
  const found = await handle.stat();
  if (isOrdinary(found)) return await readWhole(handle, found.size, maxBytes);
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of handle.createReadStream({ autoClose: false })) {
    bytes += (piece as Buffer).length;
    if (bytes > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`);
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces);
}

/** Reading a directory fails with the error that everybody knows. */
function isOrdinary(found: Stats): boolean {
  return found.isFile() || found.isDirectory();
}

async function readWhole(handle: FileHandle, size: number, maxBytes: number): Promise<Buffer> {
  if (size > maxBytes) throw new Error(`it has ${size} bytes; at most ${maxBytes} are read`);
  return handle.readFile();
}
