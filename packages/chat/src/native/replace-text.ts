/**
 * Replaces a piece of a file in its bytes, so that every other byte stays as it is, whatever the encoding. Line ends are
 * those of the file: models read and write plain line feeds. Pure.
 */
import { isUtf8 } from 'node:buffer';
import { NativeFailure } from './native-tool.ts';

export interface Replacement {
  readonly old: string;
  readonly new: string;
  /** Replace it wherever it is. */
  readonly all: boolean;
}

export interface Replaced {
  readonly bytes: Buffer;
  readonly places: number;
}

/** `shown` is how the file is named in a refusal. */
export function replaceText(before: Buffer, wanted: Replacement, shown: string): Replaced {
  assertText(before);
  if (!isUtf8(before) && !(isAscii(wanted.old) && isAscii(wanted.new)))
    throw new NativeFailure(`${shown} is not UTF-8: only ASCII can be replaced in it, by ASCII.`);
  const text = asBytes(before);
  const pair = { old: asBytes(wanted.old), new: asBytes(wanted.new) };
  const { pieces, fresh, restored } = splitAt(text, pair);
  const places = pieces.length - 1;
  if (places === 0) throw new NativeFailure(`'old' is not in ${shown}. Read the file again.`);
  if (places > 1 && !wanted.all)
    throw new NativeFailure(`'old' is ${places} times in ${shown}. Give more of what is around it, or set all.`);
  return { bytes: Buffer.from(restored(pieces.join(fresh)), 'latin1'), places };
}

/** Programs, pictures and UTF-16 hold zero bytes; a text that people edit does not. */
export function assertText(content: Buffer): void {
  if (content.subarray(0, 8000).includes(0)) throw new NativeFailure('It is no text file.');
}

interface Split {
  readonly pieces: readonly string[];
  readonly fresh: string;
  restored(text: string): string;
}

function splitAt(text: string, pair: { readonly old: string; readonly new: string }): Split {
  const same = (one: string): string => one;
  if (!text.includes('\r\n')) return { pieces: text.split(pair.old), fresh: pair.new, restored: same };
  const flat = withLineFeeds(text);
  // Every line ends with CR LF: the edit is made with plain line feeds, and all of them are put back.
  if (withCrLf(flat) === text)
    return { pieces: flat.split(withLineFeeds(pair.old)), fresh: withLineFeeds(pair.new), restored: withCrLf };
  const exact = text.split(pair.old);
  if (exact.length > 1) return { pieces: exact, fresh: pair.new, restored: same };
  const [old, fresh] = [withCrLf(withLineFeeds(pair.old)), withCrLf(withLineFeeds(pair.new))];
  return { pieces: text.split(old), fresh, restored: same };
}

function withLineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function withCrLf(text: string): string {
  return text.replaceAll('\n', '\r\n');
}

/** One character for each byte. */
function asBytes(text: string | Buffer): string {
  return (typeof text === 'string' ? Buffer.from(text, 'utf8') : text).toString('latin1');
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}
