/** What a file becomes when servers are written into it: new ones in, those of ours that are no longer wanted out. Pure. */
import { JunctorError } from '../../base/error.ts';
import { sameJson } from '../../base/json/same-json.ts';
import type { Dialect, ServerChange } from '../dialects/dialect.ts';
import { valueAt } from '../dialects/entry-reader.ts';
import { namingProgram } from '../dialects/entry-writer.ts';
import type { Path } from '../formats/document.ts';
import type { McpServerDef } from '../schema/server-schema.ts';
import { type AgentDocument, edited, entryOf, placeOf } from './agent-document.ts';
import { type Drift, driftOf } from './drift.ts';
import { HUB_KEY } from './hub-entry.ts';
import type { WrittenEntries, WrittenFile } from './written-book.ts';

export interface Plan {
  readonly after: AgentDocument;
  readonly entries: WrittenEntries;
  readonly made: WrittenFile['made'];
  readonly exported: readonly string[];
  readonly leftOut: readonly { readonly id: string; readonly because: string }[];
  /** Changed by somebody else, and written anew. */
  readonly overwritten: readonly Drift[];
  /** Servers that somebody else had there, and otherwise. */
  readonly replaced: readonly string[];
  /** No longer wanted, but changed by somebody else: they stay, and are ours no more. */
  readonly stayed: readonly Drift[];
}

export type WantedServer = ServerChange & { readonly definition: McpServerDef };

export function planWrite(
  dialect: Dialect,
  document: AgentDocument,
  record: Pick<WrittenFile, 'entries' | 'made'> | undefined,
  wanted: readonly WantedServer[],
): Plan {
  const { entries: known = {}, made } = record ?? {};
  const leftOut = reasonsOf(dialect, document.value, wanted);
  const fitting = wanted.filter(({ id }) => !leftOut.some(server => server.id === id));
  const exported = fitting.map(({ id }) => id);
  const drifts = driftsIn(dialect, document, known);
  const changed = drifts.filter(({ kind }) => kind === 'changed');
  const unwanted = Object.keys(known).filter(id => !exported.includes(id));
  const stayed = changed.filter(({ id }) => unwanted.includes(id) && id !== HUB_KEY);
  const taken = unwanted.filter(id => !stayed.some(drift => drift.id === id));
  const written = edited(
    document,
    dialect.write?.(document.value, [...fitting, ...taken.map(id => ({ id, definition: undefined }))]).edits ?? [],
  );
  const restored = taken.reduce((now, id) => withEntry(dialect, now, id, known[id]?.before), written);
  const replaced = exported.filter(id => {
    const theirs = known[id] ? undefined : entryOf(dialect, document, id);
    return theirs !== undefined && !sameJson(theirs, entryOf(dialect, restored, id));
  });
  return {
    after: restored,
    entries: Object.fromEntries(
      exported.map(id => {
        const before = known[id] ? known[id].before : entryOf(dialect, document, id);
        return [id, { written: entryOf(dialect, restored, id), ...(before === undefined ? {} : { before }) }];
      }),
    ),
    made: made ?? missingPart(dialect, document, restored, exported),
    exported,
    leftOut,
    overwritten: drifts.filter(({ id }) => exported.includes(id)),
    replaced,
    stayed,
  };
}

/** Why servers cannot be written, each sentence naming the program. */
function reasonsOf(dialect: Dialect, value: unknown, wanted: readonly ServerChange[]): Plan['leftOut'] {
  const { leftOut = [] } = dialect.write?.(value, wanted) ?? {};
  return leftOut.map(({ id, because }) => ({ id, because: namingProgram(dialect.title, because) }));
}

export function driftsIn(dialect: Dialect, document: AgentDocument, known: WrittenEntries): Drift[] {
  return Object.entries(known).flatMap(
    ([id, { written }]) => driftOf(id, written, entryOf(dialect, document, id)) ?? [],
  );
}

/** Puts an entry at its place or, in a list that does not have it, at the end; undefined leaves all as it is. */
export function withEntry(dialect: Dialect, document: AgentDocument, id: string, entry: unknown): AgentDocument {
  if (entry === undefined || sameJson(entryOf(dialect, document, id), entry)) return document;
  const place = placeOf(dialect, document, id) ?? newPlace(dialect, document, id);
  return edited(document, [{ path: place, value: entry }]);
}

/** Found by writing a server that every dialect has words for. Throws where the file has no room for servers. */
function newPlace(dialect: Dialect, { file, value }: AgentDocument, id: string): Path {
  const probe = { transport: 'stdio', command: 'x' } as const;
  const change = { id, definition: probe };
  const [edit] = dialect.write?.(value, [change]).edits ?? [];
  // The empty path is the whole file: an entry written there would replace everything else in it.
  if (!edit || edit.path.length === 0) throw noRoom(file, id, reasonsOf(dialect, value, [change])[0]?.because);
  // Where there is no list yet, the list itself is written.
  return Array.isArray(edit.value) ? [...edit.path, 0] : edit.path;
}

function noRoom(file: string, id: string, why: string | undefined): JunctorError {
  return new JunctorError('config_conflict', `'${id}' cannot be put back into ${file}.`, {
    why,
    hint: 'fix the file, then run the command again; nothing was written, and the backup is kept',
  });
}

/** The outermost part on the way to an entry that the file did not have. */
function missingPart(
  dialect: Dialect,
  before: AgentDocument,
  after: AgentDocument,
  ids: readonly string[],
): WrittenFile['made'] {
  const place = ids[0] === undefined ? undefined : placeOf(dialect, after, ids[0]);
  if (!place) return undefined;
  const lengths = place.slice(0, -1).map((_step, index) => index + 1);
  const length = lengths.find(upTo => valueAt(before.value, place.slice(0, upTo)) === undefined);
  return length === undefined ? undefined : place.slice(0, length);
}
