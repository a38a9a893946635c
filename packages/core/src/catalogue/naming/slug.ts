/** A name in other characters: as near to it as a rule allows. Never empty. */
import type { NameRule } from './name-rule.ts';

/** Stands for a name of which nothing is left. */
const NAMELESS = 'tool';

/** More than any rule lets through; a server may call its tool a megabyte. */
const LONGEST = 512;

export function slug(name: string, rule: Pick<NameRule, 'characters' | 'forbidden'>): string {
  const signs = [...name.slice(0, LONGEST)];
  const kept = signs.every(sign => rule.characters.has(sign)) ? signs : respelled(signs, rule.characters);
  return withoutForbidden(kept.join(''), rule.forbidden).replace(/^[_-]+|[_-]+$/g, '') || NAMELESS;
}

/** Accents are taken off letters before the rest is given up: `café` stays a word. A run of strange signs is one `_`. */
function respelled(signs: readonly string[], characters: ReadonlySet<string>): string[] {
  const plain = signs.join('').normalize('NFKD').replace(/\p{M}/gu, '');
  return [
    ...[...plain]
      .map(sign => (characters.has(sign) ? sign : '\0'))
      .join('')
      .replace(/\0+/g, '_'),
  ];
}

/** What takes the place of one may make another: it goes on as long as there is one, and each time it gets shorter. */
function withoutForbidden(text: string, forbidden: readonly string[]): string {
  const part = forbidden.find(one => text.includes(one));
  if (part === undefined) return text;
  return withoutForbidden(text.replace(part, part.length > 1 ? '_' : ''), forbidden);
}
