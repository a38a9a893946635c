/**
 * Masks secrets in anything that leaves the process as text. One redactor belongs to one host or command: it knows each
 * secret value that was resolved there, and the shapes of the usual credentials besides.
 */
export class Redactor {
  readonly #secrets = new Set<string>();

  /** Values shorter than this are not masked: they would blank out ordinary words without protecting anything. */
  static readonly SHORTEST_SECRET = 6;

  learn(secret: string | undefined): void {
    if (secret === undefined || secret.length < Redactor.SHORTEST_SECRET) return;
    this.#secrets.add(secret);
    // The same value as it stands inside a JSON document.
    const quoted = JSON.stringify(secret).slice(1, -1);
    if (quoted !== secret) this.#secrets.add(quoted);
  }

  /** Masks what is known to be secret and nothing else: for answers, whose other words must come through as they are. */
  maskKnown(text: string): string {
    let masked = text;
    // Longest first, so that a secret which contains another leaves no tail behind.
    for (const secret of [...this.#secrets].sort((a, b) => b.length - a.length)) {
      masked = masked.replaceAll(secret, MASK);
    }
    return masked;
  }

  /** Masks what looks like a credential as well: for logs and errors, where a guess too many does no harm. */
  mask(text: string): string {
    let masked = this.maskKnown(text);
    for (const [pattern, replacement] of CREDENTIAL_SHAPES) masked = masked.replace(pattern, replacement);
    return masked;
  }
}

export const MASK = '•••';

const CREDENTIAL_SHAPES: readonly (readonly [RegExp, string])[] = [
  [/\b(authorization"?\s*[:=]\s*"?(?:bearer|basic|token)?)\s*[\w.~+/=-]{6,}/gi, `$1 ${MASK}`],
  [/\b(bearer|basic)\s+(?=[\w.~+/=-]*\d)[\w.~+/=-]{12,}/gi, `$1 ${MASK}`],
  [/\bjct_[\w-]{20,}/g, `jct_${MASK}`],
  [/(\/\/[^/\s:@]+:)[^/\s@,]+@/g, `$1${MASK}@`],
];

const SECRET_NAME =
  /(authorization|cookie|token|secret|passw(or)?d|api[-_]?key|credential|private[-_]?key|(^|[-_])(key|pat|auth|pass|pwd|dsn|jwt)([-_]|$))/i;

/** Whether a header, variable or option of this name usually holds a secret. */
export function namesSecret(name: string): boolean {
  return SECRET_NAME.test(name);
}
