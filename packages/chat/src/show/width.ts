/** How much room a text takes on a terminal. Pure. */

/** Signs that take two columns: East Asian wide ones and pictures. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const NONE = /^\p{M}$/u;

export function widthOf(text: string): number {
  let width = 0;
  for (const sign of text) width += NONE.test(sign) ? 0 : WIDE.test(sign) ? 2 : 1;
  return width;
}

/** One line of at most `columns`; what is left out shows as an ellipsis. */
export function fitted(line: string, columns: number): string {
  if (widthOf(line) <= columns) return line;
  let [kept, width] = ['', 1];
  for (const sign of line) {
    width += widthOf(sign);
    if (width > columns) break;
    kept += sign;
  }
  return `${kept}…`;
}

/** Cuts a line into rows at spaces, or anywhere where there are none. Each sign is measured once or twice. */
export function wrapped(line: string, columns: number): string[] {
  const rows: string[] = [];
  let [row, width] = ['', 0];
  for (const word of line.match(/\s*\S+|\s+$/g) ?? ['']) {
    const wordWidth = widthOf(word);
    if (width + wordWidth <= columns) {
      row += word;
      width += wordWidth;
      continue;
    }
    if (row !== '') rows.push(row);
    const cut = cutAnywhere(row === '' ? word : word.trimStart(), columns);
    row = cut.pop() ?? '';
    width = widthOf(row);
    for (const piece of cut) rows.push(piece);
  }
  return [...rows, row];
}

/** The last piece may be followed by more. */
function cutAnywhere(text: string, columns: number): string[] {
  const pieces: string[] = [];
  let [piece, width] = ['', 0];
  for (const sign of text) {
    const more = widthOf(sign);
    if (piece !== '' && width + more > columns) {
      pieces.push(piece);
      [piece, width] = ['', 0];
    }
    piece += sign;
    width += more;
  }
  return [...pieces, piece];
}
