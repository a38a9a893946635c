/**
 * What is kept of the arguments of a call, in the audit and in the inbox alike: the first 4,000 characters with secrets masked,
 * and where that is not all, the length and the SHA-256 of the whole. Padding hides no call, and a file passed in fills no disk.
 */
import { hash } from 'node:crypto';
import { isRawNumber, isShownWhole, maskArguments } from '@junctor/core/internal';

/** Enough to recognise a call by. */
const MAX_KEPT = 4000;

/** Of larger arguments only the head is looked at: masking them whole would hold up the hub. */
const MAX_LOOKED_AT_BYTES = 64 * 1024;

/** Twice what is kept: a secret that the cut goes through is masked before it. */
const HEAD_CHARS = 2 * MAX_KEPT;

/** Wider than the names that are masked: what does not have these words in it has no such name. */
const MAY_NAME_SECRET = /auth|cookie|secret|pass|credential|key|token/i;

/** What was left out. */
export interface ArgumentsCut {
  /** Of the whole as JSON without spaces, secrets included. */
  readonly characters: number;
  readonly sha256: string;
}

export interface KeptArguments {
  /** JSON; where `cut` is set, its first 4,000 characters. */
  readonly text: string;
  readonly bytes: number;
  readonly cut?: ArgumentsCut;
}

type Mask = (text: string) => string;

export function keptArguments(args: unknown, mask: Mask): KeptArguments {
  const whole = JSON.stringify(args ?? null);
  const bytes = Buffer.byteLength(whole);
  const text =
    bytes > MAX_LOOKED_AT_BYTES ? JSON.stringify(maskArguments(headOf(args), mask)) : masked(args, whole, mask);
  if (whole.length <= MAX_KEPT && text.length <= MAX_KEPT) return { text, bytes };
  return {
    text: text.slice(0, MAX_KEPT),
    bytes,
    cut: { characters: whole.length, sha256: hash('sha256', whole, 'hex') },
  };
}

/** For a column of the audit. */
export function keptInWords({ text, cut }: KeptArguments): string {
  return cut ? `${text}… (${cut.characters} characters, sha256 ${cut.sha256})` : text;
}

/** What the person who is asked can read, as JSON. `maskArguments` has masked `args`, and kept both ends of larger ones. */
export function readableArguments(
  args: unknown,
  { characters }: ArgumentsCut,
): { readonly text: string; readonly complete: boolean } {
  return { text: JSON.stringify(args ?? null), complete: isShownWhole(characters) };
}

/** Nearly all arguments hold no secret: one look at the whole tells. */
function masked(args: unknown, whole: string, mask: Mask): string {
  const harmless = !MAY_NAME_SECRET.test(whole) && mask(whole) === whole;
  return harmless ? whole : JSON.stringify(maskArguments(args ?? null, mask));
}

/** The same value as far as its first characters go. */
function headOf(args: unknown): unknown {
  let left = HEAD_CHARS;
  const head = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const text = value.slice(0, Math.max(0, left));
      left -= text.length + 2;
      return text;
    }
    if (typeof value !== 'object' || value === null || isRawNumber(value)) {
      left -= 8;
      return value;
    }
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (const item of value) {
        if (left <= 0) break;
        items.push(head(item));
      }
      return items;
    }
    const entries: [string, unknown][] = [];
    for (const name in value) {
      if (left <= 0) break;
      left -= name.length + 4;
      entries.push([name.slice(0, HEAD_CHARS), head((value as Record<string, unknown>)[name])]);
    }
    return Object.fromEntries(entries);
  };
  return head(args);
}
