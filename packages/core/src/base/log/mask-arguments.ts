/**
 * The arguments of a call as they may be shown: what is a secret, or is named like one, is masked. They are whole up to
 * 1 MiB; of larger ones both ends are kept, with their length and SHA-256, before anything searches them.
 */
import { isRawNumber } from '../json/exact-json.ts';
import { sha256 } from '../sha256.ts';
import { headAndTail } from '../text/head-and-tail.ts';
import { MASK } from './redact.ts';

/** Narrower than for headers and variables: the person who decides about a call has to see what it says. */
const SECRET_ARGUMENT =
  /(authorization|cookie|secret|passw(or)?d|passphrase|credential|(api|private|access)[-_]?key|((^|[-_])|access|auth|bearer|refresh)token$)/i;

/** Larger arguments are cut. An agent chooses their size, and masking runs where every other call waits. */
const MAX_WHOLE_CHARS = 1024 * 1024;

/** How much of one text stays in arguments that are cut. */
const MAX_TEXT_CHARS = 64 * 1024;

/** Whether arguments of so many characters, as JSON, are shown whole. */
export function isShownWhole(characters: number): boolean {
  return characters <= MAX_WHOLE_CHARS;
}

export interface MaskOptions {
  /** Whether a text under the name of a secret is masked. False only for the person who decides about the call. */
  readonly byName?: boolean;
}

export function maskArguments(args: unknown, mask: (text: string) => string, options: MaskOptions = {}): unknown {
  const { byName = true } = options;
  const whole = JSON.stringify(args) ?? '';
  if (whole.length <= MAX_WHOLE_CHARS) return maskValue(args, mask, byName);
  const about = `; SHA-256 of all arguments ${sha256(whole)}`;
  const cut = (text: string): string => headAndTail(text, MAX_TEXT_CHARS, about);
  const masked = maskValue(args, text => mask(cut(text)), byName);
  // Many short values: no single one is to blame, so the document as a whole is cut.
  const text = JSON.stringify(masked);
  return text.length <= MAX_WHOLE_CHARS ? masked : headAndTail(text, MAX_WHOLE_CHARS, about);
}

function maskValue(value: unknown, mask: (text: string) => string, byName: boolean): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map(item => maskValue(item, mask, byName));
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return value;
  const entries = Object.entries(value).map(([name, one]) => [
    mask(name),
    byName && typeof one === 'string' && SECRET_ARGUMENT.test(name) ? MASK : maskValue(one, mask, byName),
  ]);
  return Object.fromEntries(entries);
}
