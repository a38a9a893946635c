/** `hub.json`: where the hub of a data directory can be found, and the token its own commands use. 0600. */
import { readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive, writeFileAtomic } from '@junctor/core/inside';

export interface HubFile {
  readonly url: string;
  readonly pid: number;
  readonly version: string;
  readonly token: string;
}

/** The running hub of this data directory. A file whose process is gone counts as none. */
export async function findHub(dataDirectory: string): Promise<HubFile | undefined> {
  const text = await readFile(place(dataDirectory), 'utf8').catch(() => '');
  if (text === '') return undefined;
  try {
    const found = JSON.parse(text) as HubFile;
    return isAlive(found.pid) ? found : undefined;
  } catch {
    return undefined;
  }
}

export async function announceHub(dataDirectory: string, hub: HubFile): Promise<void> {
  await writeFileAtomic(place(dataDirectory), `${JSON.stringify(hub, null, 2)}\n`);
}

/** Only the hub that wrote the file takes it away. */
export async function withdrawHub(dataDirectory: string, pid: number): Promise<void> {
  const found = await findHub(dataDirectory);
  if (found?.pid === pid) await unlink(place(dataDirectory)).catch(() => {});
}

function place(dataDirectory: string): string {
  return join(dataDirectory, 'hub.json');
}
