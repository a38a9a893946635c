import type { Place } from './document.ts';

/** From an offset in a text to its line and column, and back. */
export class LineTable {
  readonly #starts: number[] = [0];

  constructor(text: string) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  at(offset: number): Place {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
  }

  offset({ line, column }: Place): number {
    return (this.#starts[line - 1] ?? 0) + column - 1;
  }
}

/** Places of offsets in a text; its lines are counted when the first one is asked for. */
export function placesIn(text: string): (offset: number) => Place {
  let table: LineTable | undefined;
  return offset => {
    table ??= new LineTable(text);
    return table.at(offset);
  };
}
