/** How much of a model's window a text takes, by the rule of thumb that holds everywhere in the house. Pure. */
const CHARS_PER_TOKEN = 4;

export function tokensOf(chars: number): number {
  return Math.ceil(chars / CHARS_PER_TOKEN);
}

/** The longest text that costs no more than this. */
export function charsFor(tokens: number): number {
  return tokens * CHARS_PER_TOKEN;
}
