/** Where servers are copied from: what a person pastes, or what the agents of this machine have. */
import { isDeepStrictEqual } from 'node:util';
import type { McpServerDef } from '@junctor/core';
import { collectImports, hideSecrets, readPasted } from '@junctor/core/config-write';
import { ownSurroundings } from '@junctor/core/light';
import { ConfigFile } from './config-file.ts';
import type { Rooms } from './rooms.ts';

export interface Offered {
  readonly id: string;
  /** The file it comes from; null: it was pasted. */
  readonly from: string | null;
  /** Other files that define the same. */
  readonly also: readonly string[];
  readonly definition: McpServerDef;
  /** The names under which its literal secrets would be stored. */
  readonly secrets: readonly string[];
  /** `other`: there is a server of this id already, defined otherwise. */
  readonly present: 'no' | 'same' | 'other';
}

export interface Source {
  /** What a pasted text was taken for. */
  readonly what: string | null;
  readonly servers: readonly Offered[];
  readonly skipped: readonly { readonly id: string; readonly from: string; readonly because: string }[];
  readonly problems: readonly string[];
}

interface Found {
  readonly id: string;
  readonly file?: string;
  readonly definition: McpServerDef;
}

/** `text`: what was pasted; without it the files of every agent are read. */
export async function readSource(rooms: Rooms, text: string | undefined): Promise<Source> {
  const surroundings = rooms.hostOptions.surroundings ?? ownSurroundings();
  const target = await new ConfigFile(rooms).path();
  const offered = (found: Found, also: readonly string[]): Offered => ({
    id: found.id,
    from: found.file ?? null,
    also,
    definition: found.definition,
    secrets: hideSecrets(target, found.id, found.definition).secrets.map(({ name }) => name),
    present: presenceOf(rooms, found, target),
  });
  if (text !== undefined) {
    const { what = null, servers, problems } = await readPasted(text, surroundings);
    return { what, servers: servers.map(server => offered(server, [])), skipped: [], problems };
  }
  const { found, skipped, problems } = await collectImports({ surroundings });
  const twice = Map.groupBy(skipped, ({ same }) => same === true);
  const also = Map.groupBy(twice.get(true) ?? [], ({ id }) => id);
  return {
    what: null,
    servers: found.map(one =>
      offered(
        one,
        (also.get(one.id) ?? []).map(({ from }) => from),
      ),
    ),
    skipped: (twice.get(false) ?? []).map(({ id, from, because }) => ({ id, from, because })),
    problems,
  };
}

/** The same but for its secrets, which lie in the store once it was copied. */
function presenceOf({ book }: Rooms, { id, definition }: Found, target: string): Offered['present'] {
  const present = book.common.loaded.servers.get(id)?.definition;
  if (!present) return 'no';
  const hidden = hideSecrets(target, id, definition).definition;
  return isDeepStrictEqual(present, definition) || isDeepStrictEqual(present, hidden) ? 'same' : 'other';
}
