/** Columns for people: as wide as their widest cell, two spaces apart, no trailing space. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map(line => (line[column] ?? '').length)));
  return lines
    .map(line =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** In lines of at most `width` characters, broken between words; all but the first begin with the indentation. */
export function folded(text: string, width: number, indentation: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) as string;
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.join(`\n${indentation}`);
}

/** One line of at most `width` characters. */
export function oneLine(text: string, width: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  // Half of a sign that takes two places would show as a broken one.
  return line.length > width ? `${line.slice(0, width - 1).replace(/[\ud800-\udbff]$/, '')}…` : line;
}
