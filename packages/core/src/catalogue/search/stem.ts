/** The stem of an English word: `searches`, `searching` and `searched` are one. Light: where in doubt, words stay apart. */

const PLAIN_WORD = /^[a-z]{4,}$/;
const VOWEL = /[aeiouy]/;
const DOUBLED = /([bdgkmnprt])\1$/;
/** What lost an `e` to its ending: `cod` of `coding`. */
const SHORT = /^[^aeiou][aeiou][^aeiouwxy]$/;
/** `creation`, `creating`, `creator` and `create` have one stem. */
const ATE_FAMILY = ['ations', 'ation', 'ating', 'ated', 'ators', 'ator', 'ates', 'ate'];
const ENDINGS = ['ment', 'ness', 'ion', 'er', 'or', 'ly', 'al', 'ive', 'able', 'ful', 'e', 'y'];
/** Where the rules would make one word of two, or two of one. */
const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['news', 'news'],
  ['series', 'series'],
  ['analysis', 'analyz'],
  ['analyses', 'analyz'],
  ['analyse', 'analyz'],
]);

export function stem(word: string): string {
  if (!PLAIN_WORD.test(word)) return word;
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;
  const singular = withoutPlural(word);
  const family = ATE_FAMILY.find(ending => singular.endsWith(ending) && singular.length - ending.length >= 3);
  if (family === undefined) return withoutEnding(withoutTense(singular));
  const rest = singular.slice(0, -family.length);
  // `recommendation` is of `recommend`; what is left of `donation` would be a word of its own.
  return rest.length > 3 ? withoutEnding(rest) : `${rest}at`;
}

/** `copies` and `copied` are of `copy`; that `movie` becomes `movy` does no harm. */
function withoutPlural(word: string): string {
  if (/ie[sd]?$/.test(word) && word.length > 4) return word.replace(/ie[sd]?$/, 'y');
  if (/(?:s|x|z|ch|sh)es$/.test(word) && word.length > 5) return word.slice(0, -2);
  return word.endsWith('s') && !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word;
}

function withoutTense(word: string): string {
  const ending = ['ing', 'ed'].find(one => word.endsWith(one) && word.length - one.length >= 3);
  if (ending === undefined) return word;
  const rest = word.slice(0, -ending.length);
  if (!VOWEL.test(rest)) return word;
  if (DOUBLED.test(rest)) return rest.slice(0, -1);
  return SHORT.test(rest) ? `${rest}e` : rest;
}

function withoutEnding(word: string): string {
  const ending = ENDINGS.find(one => word.endsWith(one) && word.length - one.length >= 4);
  return ending === undefined ? word : word.slice(0, -ending.length);
}
