/** Other ways to write the same JSON text, and ways to spoil its bytes. */
import type { Dice } from './dice.ts';

/** The same message, spelled as other programs spell it: indented, with other white space, with escapes, or with an odd id. */
export function respelled(text: string, dice: Dice): string {
  const kind = dice.weighted({ compact: 8, indented: 2, spaced: 1, lines: 1, escaped: 1, inList: 1, oddId: 1 });
  if (kind === 'compact') return text;
  if (kind === 'inList') return `[${text}]`;
  if (kind === 'oddId') return oddId(text, dice);
  if (kind === 'escaped') return text.replace(/[^\x20-\x7e]/g, sign => `\\u${hex(sign)}`);
  if (kind === 'spaced' || kind === 'lines') {
    const gap = kind === 'spaced' ? dice.pick([' ', '\t', '   ']) : dice.pick(['\n', '\r\n', '\r']);
    return text.replace(/^\{|\}$/g, brace => (brace === '{' ? `{${gap}` : `${gap}}`));
  }
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The same id in another spelling: as a fraction, under an escaped key, twice, or beside a field that has one too. */
function oddId(text: string, dice: Dice): string {
  const kind = dice.pick(['fraction', 'escaped', 'twice', 'beside'] as const);
  if (kind === 'fraction') return text.replace(/"id":(\d+)/, '"id":$1.0');
  if (kind === 'escaped') return text.replace('"id":', '"\\u0069d":');
  const id = /"id":(\d+)/.exec(text)?.[1];
  const more = kind === 'twice' ? `"id":${id ?? 0}` : '"x":{"id":5}';
  return text.replace(/\}$/, `,${more}}`);
}

function hex(sign: string): string {
  return sign.charCodeAt(0).toString(16).padStart(4, '0');
}

const BAD_BYTES = [[0xff], [0xc3], [0xe2, 0x80], [0xed, 0xa0, 0x80], [0xf8, 0x88], [0x00], [0x0d], [0x1b, 0x5b, 0x32]];
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** A message whose bytes are damaged: cut off, overwritten, no UTF-8, with a byte order mark, or doubled. */
export function spoiled(text: string, dice: Dice): Buffer {
  const bytes = Buffer.from(text);
  const at = dice.below(bytes.length + 1);
  const kind = dice.weighted({ cut: 3, overwritten: 3, inserted: 3, marked: 1, doubled: 1, removed: 2 });
  if (kind === 'cut') return bytes.subarray(0, at);
  if (kind === 'marked') return Buffer.concat([Buffer.from(BYTE_ORDER_MARK), bytes]);
  if (kind === 'doubled') return Buffer.concat([bytes, bytes]);
  if (kind === 'removed') return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + dice.below(8))]);
  if (kind === 'inserted') return Buffer.concat([bytes.subarray(0, at), badBytes(dice), bytes.subarray(at)]);
  const changed = Buffer.from(bytes);
  badBytes(dice).copy(changed, Math.min(at, Math.max(0, bytes.length - 3)));
  return changed;
}

export function badBytes(dice: Dice): Buffer {
  return Buffer.from(dice.pick(BAD_BYTES));
}

/** The bytes in pieces, as a pipe or a socket may bring them. */
export function pieces(bytes: Buffer, dice?: Dice): Buffer[] {
  if (bytes.length === 0 || !dice?.chance(0.15)) return [bytes];
  const cut = dice.below(bytes.length);
  return [bytes.subarray(0, cut), bytes.subarray(cut)];
}
