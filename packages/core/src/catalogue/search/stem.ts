/** The stem of an English word: `searches`, `searching` and `searched` are one. Light: it errs by leaving words apart. */

const PLAIN_WORD = /^[a-z]{4,}$/;
const VOWEL = /[aeiouy]/;
const DOUBLED = /([bdgkmnprt])\1$/;
/** `creation`, `creating`, `creator` and `create` have one stem, which `crate` does not. */
const ATE_FAMILY = ['ations', 'ation', 'ating', 'ated', 'ators', 'ator', 'ate'];
const ENDINGS = ['ment', 'ness', 'ion', 'er', 'or', 'ly', 'al', 'ive', 'able', 'ful', 'e', 'y'];

export function stem(word: string): string {
  if (!PLAIN_WORD.test(word)) return word;
  const singular = withoutPlural(word);
  const family = ATE_FAMILY.find(ending => singular.endsWith(ending) && singular.length - ending.length >= 3);
  if (family !== undefined) return `${singular.slice(0, -family.length)}at`;
  return withoutEnding(withoutTense(singular));
}

function withoutPlural(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:s|x|z|ch|sh)es$/.test(word) && word.length > 5) return word.slice(0, -2);
  return word.endsWith('s') && !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word;
}

function withoutTense(word: string): string {
  const ending = ['ing', 'ed'].find(one => word.endsWith(one) && word.length - one.length >= 3);
  if (ending === undefined) return word;
  const rest = word.slice(0, -ending.length);
  if (!VOWEL.test(rest)) return word;
  return DOUBLED.test(rest) ? rest.slice(0, -1) : rest;
}

function withoutEnding(word: string): string {
  const ending = ENDINGS.find(one => word.endsWith(one) && word.length - one.length >= 4);
  return ending === undefined ? word : word.slice(0, -ending.length);
}
