import type { ImportPreview } from '@junctor/hub/answers';
import { change } from '../../../api/client.ts';

/** What a text holds; without one, what agents have. Nothing is written. */
export function askPreview(body: { readonly text?: string }, signal: AbortSignal): Promise<ImportPreview> {
  return change<ImportPreview>('/api/imports/preview', { method: 'POST', body, signal });
}

export type OfferedServer = ImportPreview['servers'][number];

/** What became of one of them so far. */
export interface Pick {
  readonly isChosen: boolean;
  readonly as: string;
  readonly replaces: boolean;
}

const ID = /^[a-zA-Z0-9_-]{1,64}$/;

/** What keeps it from being copied like this. */
export function whyNot({ as, replaces }: Pick, server: OfferedServer, taken: ReadonlySet<string>): string | undefined {
  if (!ID.test(as)) return 'An id is 1 to 64 letters, digits, _ or -.';
  if (!taken.has(as) || replaces || (as === server.id && server.present === 'same')) return undefined;
  return `There is a server '${as}' already: choose another id, or replace it.`;
}
