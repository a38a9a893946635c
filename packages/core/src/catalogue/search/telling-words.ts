/** The words of a text that tell something about it. */
import { STOP_WORDS } from './english.ts';
import { stem } from './stem.ts';
import { type WordForm, wordsOf } from './words.ts';

export function tellingWords(text: string, maxChars: number, form: WordForm = 'whole and parts'): string[] {
  return wordsOf(text, maxChars, form).filter(word => !STOP_WORDS.has(word));
}

export function tellingStems(text: string, maxChars: number, form?: WordForm): string[] {
  return tellingWords(text, maxChars, form).map(stem);
}
