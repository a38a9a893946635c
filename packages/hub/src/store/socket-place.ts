/** Where the local pipe of a data directory is: beside its files, or where a path is short enough for a socket. */
import { lstat, mkdir, rmdir } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { JunctorError } from '@junctor/core/light';
import { hubName } from './hub-name.ts';

/** The address of a socket holds so many bytes on Linux 108, on macOS 104, its end included. */
const MAX_PATH_BYTES = 103;

export async function socketPlace(dataDirectory: string): Promise<string> {
  if (process.platform === 'win32') return `\\\\.\\pipe\\junctor-${hubName(resolve(dataDirectory))}`;
  const beside = join(resolve(dataDirectory), 'hub.sock');
  return Buffer.byteLength(beside) <= MAX_PATH_BYTES ? beside : otherPlace(dataDirectory);
}

/** For a data directory whose file system has no sockets, such as a folder that a container shares with its host. */
export async function otherPlace(dataDirectory: string): Promise<string> {
  return join(await privateFolder(), `${hubName(resolve(dataDirectory))}.sock`);
}

/** Where a hub of this data directory may listen. Asking makes nothing. */
export function possiblePlaces(dataDirectory: string): readonly string[] {
  const name = hubName(resolve(dataDirectory));
  if (process.platform === 'win32') return [`\\\\.\\pipe\\junctor-${name}`];
  return [join(resolve(dataDirectory), 'hub.sock'), join(folderForSockets(), `${name}.sock`)];
}

/** Takes away the folder that was made for sockets, unless another hub has one there. */
export async function leavePlace(path: string): Promise<void> {
  if (dirname(path) === folderForSockets()) await rmdir(dirname(path)).catch(() => {});
}

function folderForSockets(): string {
  return join(tmpdir(), `junctor-${userInfo().uid}`);
}

/** In a folder that others may write to, one that only we may. */
async function privateFolder(): Promise<string> {
  const { uid } = userInfo();
  const folder = folderForSockets();
  await mkdir(folder, { mode: 0o700 }).catch(() => {});
  const found = await lstat(folder).catch(() => undefined);
  // Whoever made it before us could listen in our place.
  if (found?.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0) return folder;
  throw new JunctorError('file_unwritable', `Cannot use ${folder} for the hub's pipe.`, {
    why: 'it belongs to somebody else, or others may write to it',
    hint: 'choose a data directory with a shorter path: --data DIR',
  });
}
