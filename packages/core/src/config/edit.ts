/** Changes config files, in whatever notation and dialect they are, one writer at a time. */

import { JunctorError } from '../base/error.ts';
import { writeFileAtomic, writeSharedFile } from '../base/files/atomic-file.ts';
import { withFileLock } from '../base/files/file-lock.ts';
import { isObject } from '../base/json/is-object.ts';
import { sameJson } from '../base/json/same-json.ts';
import type { Dialect, DialectName, ServerChange } from './dialects/dialect.ts';
import { valueAt } from './dialects/entry-reader.ts';
import { dialectNamed, fittingDialects } from './dialects/registry.ts';
import { differences } from './dialects/strictness.ts';
import type { DocumentResult, Edit, TextFormat } from './formats/document.ts';
import { formatName, loadFormat } from './formats/format.ts';
import { isBlank, refuseDuplicates } from './formats/problems.ts';
import { readText } from './load.ts';
import { judgeValue } from './parse.ts';
import { describeProblem, fixAsHint } from './problem.ts';
import { readConfig } from './reading/read.ts';
import { isForeignPlace } from './reading/read-any.ts';
import type { McpServerDef } from './schema/server-schema.ts';
import { asServerId, SERVER_ID } from './schema/server-words.ts';

export interface EditOptions {
  readonly home: string;
  readonly dialect?: DialectName | undefined;
  /** The file is kept with a project: a new one may be read by others. */
  readonly shared?: boolean;
}

/** What a file defines, as far as an edit needs to know. */
interface EditableFile {
  readonly text: string;
  readonly format: TextFormat;
  readonly dialect: Dialect;
  readonly value: unknown;
  readonly ids: ReadonlySet<string>;
}

export interface WrittenFile {
  readonly before: string;
  readonly after: string;
}

/** Adds a server; an id the file already has is a conflict, unless it may be replaced. */
export async function addServer(
  file: string,
  change: Required<ServerChange>,
  options: EditOptions & { readonly replace?: boolean },
): Promise<WrittenFile> {
  const { id, definition } = change;
  expectServerId(id);
  if (definition) expectValid(id, definition);
  return changeServers(file, [change], options, ({ ids }) => {
    if (!ids.has(id) || options.replace) return;
    throw new JunctorError('config_conflict', `${file} already defines a server '${id}'.`, {
      hint: 'add --replace to overwrite it, or choose another id',
    });
  });
}

export function removeServer(file: string, id: string, options: EditOptions): Promise<WrittenFile> {
  return changeServers(file, [{ id, definition: undefined }], options, ({ ids }) => {
    if (ids.has(id)) return;
    throw new JunctorError('server_unknown', `${file} defines no server '${id}'.`, {
      server: id,
      why: ids.size > 0 ? `it defines ${[...ids].map(one => `'${one}'`).join(', ')}` : 'it defines none',
      hint: 'junctor mcp list shows the servers of all files',
    });
  });
}

/** Switches a server of this file, or of a lower layer, on or off. Ours to write only in our own format. */
export async function switchServer(
  file: string,
  id: string,
  enabled: boolean,
  options: EditOptions & {
    /** The layers below say the same: an entry that only says `enabled` is taken out. */
    readonly clear?: boolean;
  },
): Promise<WrittenFile> {
  expectServerId(id);
  return rewrite(file, options, ({ dialect, ids, value }) => {
    if (options.clear && !ids.has(id)) return [];
    if (options.clear && dialect.name === 'junctor' && isSwitchOnly(valueAt(value, ['servers', id])))
      return [{ path: ['servers', id], value: undefined }];
    if (dialect.name === 'junctor') return [{ path: ['servers', id, 'enabled'], value: enabled }];
    if (!ids.has(id)) {
      throw new JunctorError('config_conflict', `${file} is a ${dialect.title} file and does not define '${id}'.`, {
        hint: 'write the switch into a Junctor file: junctor.json, or --scope global',
      });
    }
    const entry = readEntry(dialect, value, file, options.home, id);
    const written = (definition: object): readonly Edit[] =>
      dialectEdits(dialect, value, [{ id, definition: definition as never }], file);
    return onlyDifferences(written(entry), written({ ...entry, enabled }));
  });
}

/** What the switch changes. The rest of the entry stays as a person wrote it, whatever the dialect would write. */
function onlyDifferences(now: readonly Edit[], wanted: readonly Edit[]): Edit[] {
  return wanted.flatMap(edit => {
    const unswitched = now.find(({ path }) => sameJson(path, edit.path));
    return unswitched ? differences(unswitched.value, edit) : [edit];
  });
}

function isSwitchOnly(entry: unknown): boolean {
  return isObject(entry) && Object.keys(entry).join() === 'enabled';
}

function expectServerId(id: string): void {
  if (SERVER_ID.test(id)) return;
  throw new JunctorError('usage', `'${id}' cannot be a server id.`, {
    hint: `1 to 64 letters, digits, _ or -, such as ${asServerId(id)}`,
  });
}

/** It stands in no file yet: what is wrong with it has no place. */
function expectValid(id: string, definition: McpServerDef): void {
  const [first] = judgeValue({ version: 1, servers: { [id]: definition } }).problems;
  if (!first) return;
  throw new JunctorError('config_invalid', first.message, {
    server: id,
    ...(first.fix && { hint: fixAsHint(first.fix) }),
  });
}

/** Makes several changes in one step: all of them are written, or none. */
export function changeServers(
  file: string,
  changes: readonly ServerChange[],
  options: EditOptions,
  check: (file: EditableFile) => void = () => {},
): Promise<WrittenFile> {
  return rewrite(file, options, editable => {
    check(editable);
    return dialectEdits(editable.dialect, editable.value, changes, file);
  });
}

/** Changes what belongs to no server. Only a file of our own format has a place for it. */
export function changeFrame(
  file: string,
  edits: readonly Edit[],
  options: EditOptions,
  check: () => void = () => {},
): Promise<WrittenFile> {
  return rewrite(file, options, ({ dialect }) => {
    check();
    if (dialect.name === 'junctor') return edits;
    throw new JunctorError('config_conflict', `${file} is a ${dialect.title} file, which has no place for settings.`, {
      hint: 'start the hub with a Junctor file: junctor hub --config junctor.json',
    });
  });
}

/** What a change would make of the file, without making it. */
export async function previewChange(
  file: string,
  changes: readonly ServerChange[],
  options: EditOptions,
): Promise<WrittenFile> {
  const editable = await readEditable(file, options);
  const after = editable.format.edit(editable.text, dialectEdits(editable.dialect, editable.value, changes, file));
  return { before: (await readText(file, false)) ?? '', after };
}

async function rewrite(
  file: string,
  options: EditOptions,
  edit: (file: EditableFile) => readonly Edit[],
): Promise<WrittenFile> {
  return withFileLock(file, async () => {
    const editable = await readEditable(file, options);
    const after = editable.format.edit(editable.text, edit(editable));
    if (after !== editable.text) await (options.shared ? writeSharedFile : writeFileAtomic)(file, after);
    return { before: editable.text, after };
  });
}

const NEW_FILE = { version: 1, servers: {} };

async function readEditable(file: string, options: EditOptions): Promise<EditableFile> {
  const format = await loadFormat(formatName(file));
  const found = (await readText(file, false)) || '';
  const fresh = found.trim() === '';
  const own = options.dialect === undefined ? !isForeignPlace(file) : options.dialect === 'junctor';
  const text = fresh ? format.edit(format.empty, own ? newFileEdits() : []) : found;
  const read = isBlank(text) ? blank(file) : refuseDuplicates(format.read(file, text));
  const reading = await readConfig(file, text, options);
  if (!read.ok || !reading.ok) {
    const problems = read.ok ? (reading.ok ? [] : reading.problems) : read.problems;
    throw new JunctorError('config_unreadable', `${file} cannot be edited: it is not valid.`, {
      why: problems.map(describeProblem).join('\n'),
      hint: 'mend the file, then run the command again',
    });
  }
  const { value } = read.document;
  const dialect = options.dialect ? dialectNamed(options.dialect) : (fittingDialects(file, value)[0] as Dialect);
  const ids = new Set(dialect.read(value, { file, home: options.home }).servers.map(server => server.id));
  return { text, format, dialect, value, ids };
}

function blank(file: string): DocumentResult {
  return { ok: true, document: { file, value: {}, locate: () => ({ line: 1, column: 1 }) } };
}

function newFileEdits(): Edit[] {
  return Object.entries(NEW_FILE).map(([key, value]) => ({ path: [key], value }));
}

function readEntry(dialect: Dialect, value: unknown, file: string, home: string, id: string): object {
  return dialect.read(value, { file, home }).servers.find(server => server.id === id)?.definition ?? {};
}

function dialectEdits(
  dialect: Dialect,
  value: unknown,
  changes: readonly ServerChange[],
  file: string,
): readonly Edit[] {
  if (!dialect.write) {
    throw new JunctorError(
      'config_conflict',
      `${file} is a ${dialect.title} file, which Junctor reads but does not write.`,
      {
        hint: 'choose a Junctor file with --scope or --config',
      },
    );
  }
  const { edits, leftOut } = dialect.write(value, changes);
  const [first] = leftOut;
  if (!first) return edits;
  throw new JunctorError('config_conflict', `A ${dialect.title} file cannot hold the server '${first.id}'.`, {
    why: first.because,
    hint: 'choose a Junctor file with --scope or --config',
  });
}
