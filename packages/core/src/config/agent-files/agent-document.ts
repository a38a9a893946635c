/** An agent's own file: its bytes, what stands in it, and where each server stands. */
import { JunctorError } from '../../base/error.ts';
import { readRegularFile } from '../../base/files/regular-file.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { valueAt } from '../dialects/entry-reader.ts';
import type { Edit, Path, TextFormat } from '../formats/document.ts';
import { formatName, loadFormat } from '../formats/format.ts';
import { refuseDuplicates } from '../formats/problems.ts';
import { describeProblem } from '../problem.ts';

export interface AgentDocument {
  readonly file: string;
  /** Undefined where there is no such file. */
  readonly bytes: Buffer | undefined;
  readonly text: string;
  readonly value: unknown;
  readonly format: TextFormat;
}

export async function readAgentDocument(file: string): Promise<AgentDocument> {
  const bytes = await readRegularFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw unreadable(file, error.message, error);
  });
  return documentOf(file, bytes);
}

export async function documentOf(file: string, bytes: Buffer | undefined): Promise<AgentDocument> {
  const format = await loadFormat(formatName(file));
  const found = decoded(file, bytes);
  const text = found.trim() === '' ? format.empty : found;
  return { file, bytes, text, value: parsed(file, text, format), format };
}

/** The same document after some edits; `bytes` stay those of the file as it is. */
export function edited(document: AgentDocument, edits: readonly Edit[]): AgentDocument {
  if (edits.length === 0) return document;
  const text = document.format.edit(document.text, edits);
  return { ...document, text, value: parsed(document.file, text, document.format) };
}

/** Where a server stands, found by asking how it would be taken out: so lists and maps are alike. */
export function placeOf(dialect: Dialect, { value }: AgentDocument, id: string): Path | undefined {
  const edits = dialect.write?.(value, [{ id, definition: undefined }]).edits ?? [];
  return edits.find(edit => edit.value === undefined)?.path;
}

export function entryOf(dialect: Dialect, document: AgentDocument, id: string): unknown {
  const place = placeOf(dialect, document, id);
  return place && valueAt(document.value, place);
}

/** Whether two texts differ in nothing but empty lines. */
export function sameLines(one: string, other: string): boolean {
  const filled = (text: string): string => text.replace(/^\s*\n/gm, '').trimEnd();
  return filled(one) === filled(other);
}

/** What a file cannot be decoded into text without loss would not come back as it was. */
function decoded(file: string, bytes: Buffer | undefined): string {
  if (bytes === undefined) return '';
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw unreadable(file, 'it is not UTF-8 text', error);
  }
}

function parsed(file: string, text: string, format: TextFormat): unknown {
  if (text.trim() === '') return {};
  const read = refuseDuplicates(format.read(file, text));
  if (read.ok) return read.document.value;
  throw unreadable(file, read.problems.map(describeProblem).join('\n'));
}

function unreadable(file: string, why: string, cause?: unknown): JunctorError {
  return new JunctorError('config_unreadable', `${file} cannot be edited: it is not valid.`, {
    why,
    hint: 'mend the file, then run the command again; nothing was written',
    cause,
  });
}
