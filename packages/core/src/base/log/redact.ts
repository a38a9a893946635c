import { formsOf, shortPattern } from './secret-forms.ts';

/**
 * Masks secrets in anything that leaves the process as text. One redactor belongs to one host or command: it knows each
 * secret value that was resolved there, and the shapes of the usual credentials besides.
 */
export class Redactor {
  readonly #learnt = new Set<string>();
  /** Every form that a secret takes on its way out, longest first. Made anew after something was learnt. */
  #forms: readonly string[] | undefined;
  #short: RegExp | undefined;

  /** Shorter values are masked only where they stand as a value: elsewhere they would blank out ordinary words. */
  static readonly SHORTEST_SECRET = 6;

  /** From now on this value is masked. */
  learn(secret: string | undefined): void {
    if (!secret || this.#learnt.has(secret)) return;
    this.#learnt.add(secret);
    this.#forms = undefined;
  }

  /** Masks what is known to be secret and nothing else: for answers, whose other words must come through as they are. */
  maskKnown(text: string): string {
    if (this.#learnt.size === 0) return text;
    let masked = text;
    for (const form of this.#allForms()) masked = masked.replaceAll(form, MASK);
    return masked;
  }

  /** Where at the end of a text a known secret may have begun that is not whole yet; the length of the text if none has. */
  unfinishedAt(text: string): number {
    if (this.#learnt.size === 0) return text.length;
    const forms = this.#allForms();
    let first = text.length;
    for (const form of forms) {
      const begin = form[0] as string;
      let at = text.indexOf(begin, Math.max(0, text.length - form.length + 1));
      for (; at >= 0 && at < first; at = text.indexOf(begin, at + 1)) if (form.startsWith(text.slice(at))) first = at;
    }
    // The end of a whole secret may look like the beginning of another: the two are kept together.
    for (const form of first < text.length ? forms : []) {
      const whole = text.indexOf(form, Math.max(0, first - form.length + 1));
      if (whole >= 0 && whole < first) first = whole;
    }
    return first;
  }

  /** Masks what looks like a credential as well: for logs and errors, where a guess too many does no harm. */
  mask(text: string): string {
    let masked = this.maskKnown(text);
    for (const [pattern, replacement] of CREDENTIAL_SHAPES) masked = masked.replace(pattern, replacement);
    return this.#short ? masked.replace(this.#short, `$1${MASK}`) : masked;
  }

  #allForms(): readonly string[] {
    if (this.#forms) return this.#forms;
    const all = [...this.#learnt];
    const long = all.filter(({ length }) => length >= Redactor.SHORTEST_SECRET);
    // Longest first, so that a secret which contains another leaves no tail behind.
    this.#forms = [...new Set(long.flatMap(formsOf))].sort((one, other) => other.length - one.length);
    this.#short = shortPattern(all.filter(({ length }) => length < Redactor.SHORTEST_SECRET));
    return this.#forms;
  }
}

export const MASK = '•••';

/**
 * Strangers choose the text these meet, so each must take time that grows like the text: two repeated classes never share a
 * character, and every repetition has an end. Without one, a run of 16 million characters overflows the engine's stack.
 * No header is longer than 16 KiB.
 */
const CREDENTIAL_SHAPES: readonly (readonly [RegExp, string])[] = [
  [/\b(authorization"?\s{0,8}[:=]\s{0,8}"?(?:bearer|basic|token)?)\s{0,8}[\w.~+/=-]{6,16384}/gi, `$1 ${MASK}`],
  [/\b(bearer|basic)\s{1,8}(?=[\w.~+/=-]{0,16384}\d)[\w.~+/=-]{12,16384}/gi, `$1 ${MASK}`],
  [/\bjct_[\w-]{20,16384}/g, `jct_${MASK}`],
  [/(\/\/[^/\s:@]{1,16384}:)[^/\s@,]{1,16384}@/g, `$1${MASK}@`],
];

const SECRET_NAME =
  /(authorization|cookie|token|secret|passw(or)?d|api[-_]?key|credential|private[-_]?key|(^|[-_])(key|pat|auth|pass|pwd|dsn|jwt)([-_]|$))/i;

/** Whether a header, variable or option of this name usually holds a secret. */
export function namesSecret(name: string): boolean {
  return SECRET_NAME.test(name);
}
