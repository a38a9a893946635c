/** What `hub.json` says. On its own, because a command reads it before it has loaded anything else. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface HubFile {
  readonly url: string;
  /** The pipe of this hub: a socket, on Windows a named pipe. */
  readonly socket: string;
  readonly pid: number;
  readonly version: string;
  readonly token: string;
}

/** The hub of this data directory, which may be gone by now. */
export async function readHubFile(dataDirectory: string): Promise<HubFile | undefined> {
  const text = await readFile(hubFilePlace(dataDirectory), 'utf8').catch(() => '');
  try {
    const found = JSON.parse(text) as Partial<HubFile>;
    return typeof found.socket === 'string' && typeof found.url === 'string' ? (found as HubFile) : undefined;
  } catch {
    return undefined;
  }
}

export function hubFilePlace(dataDirectory: string): string {
  return join(dataDirectory, 'hub.json');
}
