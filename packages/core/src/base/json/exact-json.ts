/**
 * JSON whose numbers are written again as they were read, however many digits they have: a number that JavaScript would
 * round, or write in another way, is kept as its text.
 */

/** A number as its text. `JSON.stringify` writes it as it is; whoever needs its value asks for it. */
export interface RawNumber {
  readonly rawJSON: string;
}

/** For whoever changes a part of a document that somebody else wrote, or passes it on. */
export function parseExactly(text: string): unknown {
  return parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? rawJSON(source) : value,
  );
}

/**
 * The same, and as quick as `JSON.parse` where no number needs it: nearly every message. It may look closer without need,
 * where a text holds what looks like such a number, and never too little.
 */
export function parseKeepingDigits(text: string): unknown {
  return mayLoseDigits(text) ? parseExactly(text) : JSON.parse(text);
}

/** Whether a number in it might be written in another way than it was read. */
export function mayLoseDigits(text: string): boolean {
  return MAY_CHANGE.test(text);
}

/** A number with sixteen digits or more, an exponent, a fraction that ends in zero or begins with many; or minus zero. */
const MAY_CHANGE = /[[:,]\s*(?:-?\d(?:[\d.]{15}|\d*(?:[eE]|\.(?:\d*(?:[eE]|0(?!\d))|0{5})))|-0(?![.\d]))/;

export function isRawNumber(value: unknown): value is RawNumber {
  return isRawJSON(value);
}

/** The value of a number, rounded where it has to be; anything else is no number. */
export function numberIn(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return isRawNumber(value) ? Number(value.rawJSON) : undefined;
}

/** With plain numbers, for a program that reads them. The same where it has no others. */
export function withPlainNumbers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isRawNumber(value)) return Number(value.rawJSON);
  if (Array.isArray(value)) return value.map(withPlainNumbers);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withPlainNumbers(inner)]));
}

/** Newer than the types of the language that we compile with. */
const { parse, rawJSON, isRawJSON } = JSON as unknown as {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): boolean;
};
