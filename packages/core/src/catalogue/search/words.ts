/** Cuts a text into words, as people and programs write them: `createIssue`, `create_issue`, `HTTP2Server`, `日本語`. */

/** A run of letters and digits; all else parts words. */
const RUN = /[\p{L}\p{N}]+/gu;
/** `HTTP` of `HTTPServer`, `Server`, `server`, `42`, a run of a script without capitals. */
const PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|[\p{Lo}\p{Lm}]+/gu;
/** Scripts that set no spaces between words: there, every two neighbours make a word. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u;
const MARKS = /\p{M}+/gu;
const PLAIN_RUN = /[A-Za-z0-9]+/g;
const PLAIN_PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;
const BEYOND_ASCII = /[^\x00-\x7f]/;

/** Longer ones are data, such as a key or a picture: their beginning tells them apart well enough. */
const MAX_WORD_CHARS = 40;

/** What becomes of `GitHub`: `git`, `hub` and `github`, or the first two. */
export type WordForm = 'whole and parts' | 'parts';

/** In lower case, without accents, in the order of the text. */
export function wordsOf(text: string, maxChars: number, form: WordForm = 'whole and parts'): string[] {
  const cut = text.length > maxChars ? text.slice(0, maxChars) : text;
  const plain = !BEYOND_ASCII.test(cut);
  const bare = plain ? cut : cut.normalize('NFKD').replace(MARKS, '').normalize('NFC');
  const words: string[] = [];
  for (const run of bare.match(plain ? PLAIN_RUN : RUN) ?? []) addRun(words, run, plain, form);
  return words;
}

function addRun(words: string[], run: string, plain: boolean, form: WordForm): void {
  const parts = run.match(plain ? PLAIN_PART : PART);
  if (!parts) return;
  for (const part of parts) addWord(words, part.toLowerCase());
  if (form === 'parts' || parts.length === 1 || parts.length > MAX_JOINED_PARTS) return;
  words.push(run.toLowerCase().slice(0, MAX_WORD_CHARS));
}

/** A name of more parts is a sentence: nobody writes it as one word. */
const MAX_JOINED_PARTS = 3;

function addWord(words: string[], word: string): void {
  if (!UNSPACED.test(word)) {
    words.push(word.slice(0, MAX_WORD_CHARS));
    return;
  }
  const signs = [...word];
  if (signs.length === 1) words.push(word);
  for (let at = 0; at + 1 < signs.length; at++) words.push(`${signs[at]}${signs[at + 1]}`);
}
