/** `hub.json`: where the hub of a data directory can be found, and the token its own commands use. 0600. */
import { lstat, unlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { writePrivateFile } from '@junctor/core/internal';
import { type HubFile, hubFilePlace, readHubFile } from './read-hub-file.ts';
import { possiblePlaces } from './socket-place.ts';

/**
 * The running hub of this data directory. What the file says of a process counts for nothing: after a crash another program
 * may have its id. Only a hub that runs listens on its pipe.
 */
export async function findHub(dataDirectory: string): Promise<HubFile | undefined> {
  const found = await readHubFile(dataDirectory);
  return found && (await isListening(found.socket)) ? found : undefined;
}

/**
 * The same for a folder that nobody named, such as one of a project that came from elsewhere: its files could lead to any
 * socket, and its trust would count. Only a socket that a hub of this person has made for this very folder is taken for one.
 */
export async function findHubBeside(dataDirectory: string): Promise<HubFile | undefined> {
  const found = await readHubFile(dataDirectory);
  if (!found) return undefined;
  const owners = await Promise.all([dataDirectory, found.socket].map(isOwn));
  const isOurs = possiblePlaces(dataDirectory).includes(found.socket) && owners.every(Boolean);
  return isOurs && (await isListening(found.socket)) ? found : undefined;
}

async function isOwn(path: string): Promise<boolean> {
  if (process.platform === 'win32') return true;
  const found = await lstat(path).catch(() => undefined);
  return found?.uid === process.getuid?.();
}

const ANSWER_MS = 1000;

export function isListening(socket: string): Promise<boolean> {
  return new Promise(resolve => {
    const probe = connect(socket);
    const done = (answers: boolean): void => {
      probe.destroy();
      resolve(answers);
    };
    probe.setTimeout(ANSWER_MS, () => done(false));
    probe.once('connect', () => done(true));
    probe.once('error', () => done(false));
  });
}

export async function announceHub(dataDirectory: string, hub: HubFile): Promise<void> {
  await writePrivateFile(hubFilePlace(dataDirectory), `${JSON.stringify(hub, null, 2)}\n`);
}

/** By the hub that holds the pipe of this data directory, and by nobody else. */
export async function withdrawHub(dataDirectory: string): Promise<void> {
  await unlink(hubFilePlace(dataDirectory)).catch(() => {});
}
