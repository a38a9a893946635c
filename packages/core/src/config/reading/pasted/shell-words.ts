/** A line for a shell taken apart into its words, without doing anything else that a shell does. Pure. */
const WORD = /(?:[^\s"'\\]|\\[\s\S]|"(?:[^"\\]|\\[\s\S])*"|'[^']*')+/g;
const PART = /"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'|\\([\s\S])|([^"'\\]+)/g;

export function shellWords(line: string): string[] {
  return (line.match(WORD) ?? []).map(word =>
    word.replace(PART, (_all, double?: string, single?: string, escaped?: string, plain?: string) =>
      double === undefined ? (single ?? escaped ?? plain ?? '') : double.replace(/\\(["\\$`])/g, '$1'),
    ),
  );
}

/** The lines a person would enter one after the other: one that ends with a backslash goes on in the next. */
export function shellLines(text: string): string[] {
  return text
    .replaceAll('\r\n', '\n')
    .replace(/\\\n\s*/g, ' ')
    .split('\n')
    .map(line => line.replace(/^\s*[$>]\s+/, '').trim())
    .filter(line => line !== '' && !line.startsWith('#'));
}
