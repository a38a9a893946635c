/** `hub.json`: where the hub of a data directory can be found, and the token its own commands use. 0600. */
import { readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive, writePrivateFile } from '@junctor/core/inside';

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
    // After a crash another process may have that id, in a container even this one: only an answer counts.
    const alive = found.pid !== process.pid && isAlive(found.pid) && (await answers(found.url));
    return alive ? found : undefined;
  } catch {
    return undefined;
  }
}

const ANSWER_MS = 1000;

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

export async function announceHub(dataDirectory: string, hub: HubFile): Promise<void> {
  await writePrivateFile(place(dataDirectory), `${JSON.stringify(hub, null, 2)}\n`);
}

/** Only the hub that wrote the file takes it away. */
export async function withdrawHub(dataDirectory: string, pid: number): Promise<void> {
  const text = await readFile(place(dataDirectory), 'utf8').catch(() => '');
  if (text.includes(`"pid": ${pid},`)) await unlink(place(dataDirectory)).catch(() => {});
}

function place(dataDirectory: string): string {
  return join(dataDirectory, 'hub.json');
}
