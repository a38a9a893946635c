/**
 * The terminal as two parts: above, words that stay; below, what changes: the line that is being written, the calls that run,
 * and what the person types. The lower part is taken away and painted again with each change.
 */
import { fitted, widthOf, wrapped } from '../show/width.ts';

/** Where it is painted; `process.stdout` of a terminal. */
export interface Paper {
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

export interface InputView {
  readonly prompt: string;
  readonly text: string;
  /** Where the next sign goes, counted in the text. */
  readonly cursor: number;
}

export class Screen {
  readonly #paper: Paper;
  #partial = '';
  #status: readonly string[] = [];
  #input: InputView | undefined;
  /** How many rows the cursor stands below the top of the changing part, as it is painted. */
  #cursorRow = 0;
  #held: string | undefined;

  constructor(paper: Paper) {
    this.#paper = paper;
  }

  get columns(): number {
    return Math.max(20, this.#paper.columns ?? 80);
  }

  /** Goes on where it stopped: a line may come in pieces. */
  write(text: string): void {
    if (text === '') return;
    const lines = (this.#partial + text).split('\n');
    const last = wrapped(lines.pop() ?? '', this.columns - 1);
    this.#partial = last.pop() ?? '';
    const whole = [...lines.flatMap(line => wrapped(line, this.columns - 1)), ...last];
    this.#paint(whole.map(line => `${line}\r\n`).join(''));
  }

  /** Whole lines; what was being written before ends there. */
  say(text: string): void {
    this.write(`${this.#partial === '' ? '' : '\n'}${text}\n`);
  }

  endLine(): void {
    if (this.#partial !== '') this.write('\n');
  }

  show(status: readonly string[]): void {
    if (status.join('\n') === this.#status.join('\n')) return;
    this.#status = status;
    this.#paint();
  }

  input(view: InputView | undefined): void {
    this.#input = view;
    this.#paint();
  }

  /** Leaves the terminal to somebody else; what is written meanwhile comes after. */
  hold(): void {
    this.#paper.write(this.#erased());
    this.#held = '';
  }

  release(): void {
    const waited = this.#held ?? '';
    this.#held = undefined;
    this.#paint(waited);
  }

  clear(): void {
    this.#paper.write('\x1b[2J\x1b[H');
    this.#cursorRow = 0;
    this.#paint();
  }

  #paint(whole = ''): void {
    if (this.#held !== undefined) {
      this.#held += whole;
      return;
    }
    const { columns } = this;
    const above = [
      ...(this.#partial === '' ? [] : [this.#partial]),
      ...this.#status.map(line => fitted(line, columns - 1)),
    ];
    const { rows, row, column } = this.#typed();
    const lines = [...above, ...rows];
    const up = rows.length - 1 - row;
    const toCursor = rows.length === 0 ? '' : `${up > 0 ? `\x1b[${up}A` : ''}\r${column > 0 ? `\x1b[${column}C` : ''}`;
    this.#paper.write(`${this.#erased()}${whole}${lines.join('\r\n')}${toCursor}`);
    this.#cursorRow = Math.max(0, above.length + row);
  }

  #erased(): string {
    const up = this.#cursorRow > 0 ? `\x1b[${this.#cursorRow}A` : '';
    this.#cursorRow = 0;
    return `\r${up}\x1b[J`;
  }

  /** What the person types, cut into rows of the terminal, and where the cursor stands in them. */
  #typed(): { rows: string[]; row: number; column: number } {
    if (!this.#input) return { rows: [], row: -1, column: 0 };
    const { prompt, text, cursor } = this.#input;
    const room = this.columns - 1;
    const rows: string[] = [];
    let [row, column, at] = [0, 0, 0];
    for (const [index, line] of text.split('\n').entries()) {
      let shown = index === 0 ? prompt : ' '.repeat(widthOf(prompt));
      for (const sign of `${line}\n`) {
        if (at === cursor) [row, column] = [rows.length, widthOf(shown)];
        at += sign.length;
        if (sign === '\n') break;
        shown += sign;
        if (widthOf(shown) < room) continue;
        rows.push(shown);
        shown = '';
      }
      rows.push(shown);
    }
    const most = Math.max(3, (this.#paper.rows ?? 24) - 4);
    const first = Math.max(0, Math.min(row, rows.length - most));
    return { rows: rows.slice(first, first + most), row: row - first, column };
  }
}
