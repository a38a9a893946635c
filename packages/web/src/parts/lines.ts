/** Lists and maps as people write them into a form: one thing on each line. Pure. */
import type { Notation } from './fields.tsx';

export const LIST: Notation<readonly string[]> = {
  toText: list => list.join('\n'),
  fromText: text => (text.trim() === '' ? [] : text.replace(/\n+$/, '').split('\n')),
};

export type Texts = Readonly<Record<string, string>>;

/** `NAME=value` with `=`; `Name: value` with `: `. */
export function pairs(sign: string): Notation<Texts> {
  const mark = sign.trim();
  const split = (line: string): [string, string] | undefined => {
    const at = line.indexOf(mark);
    const name = at < 0 ? '' : line.slice(0, at).trim();
    if (name === '') return undefined;
    const value = line.slice(at + mark.length);
    return [name, sign === mark ? value : value.trimStart()];
  };
  const lines = (text: string): string[] => text.split('\n').filter(line => line.trim() !== '');
  return {
    toText: texts =>
      Object.entries(texts)
        .map(([name, value]) => `${name}${sign}${value}`)
        .join('\n'),
    fromText: text => Object.fromEntries(lines(text).flatMap(line => [split(line)].filter(pair => pair !== undefined))),
    complaint(text) {
      const wrong = lines(text).find(line => split(line) === undefined);
      return wrong === undefined ? undefined : `'${wrong}' is left out: write it as NAME${sign}VALUE.`;
    },
  };
}

/** A value with a line break of its own cannot stand on one line. */
export function fitsOnLines(value: unknown): boolean {
  if (value === undefined) return true;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).every(one => typeof one === 'string' && !one.includes('\n'));
}
