/**
 * JSON whose numbers are written again as they were read, however many digits they have: a number that JavaScript would
 * round is kept as its text. For whoever changes a part of a document that somebody else wrote.
 */
export function parseExactly(text: string): unknown {
  return parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? rawJSON(source) : value,
  );
}

/** Newer than the types of the language that we compile with. */
const { parse, rawJSON } = JSON as unknown as {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): unknown;
};
