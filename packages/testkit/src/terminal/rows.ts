/** What stands on a terminal after all that was written to it. It knows the few signs that Junctor steers one with. */
export class Rows {
  #rows: string[] = [''];
  #row = 0;
  #column = 0;
  #rest = '';

  get text(): string {
    return this.#rows.map(row => row.trimEnd()).join('\n');
  }

  write(data: string): void {
    const all = this.#rest + data;
    // A sign may be cut by the end of a piece.
    const cut = /\x1b(?:\[[\d;?]*)?$/.exec(all)?.index ?? all.length;
    this.#rest = all.slice(cut);
    for (const [sign, parameter = '', command] of all
      .slice(0, cut)
      .matchAll(/\x1b\[([\d;?]*)([a-zA-Z])|\x1b.|[\s\S]/gu)) {
      if (command === undefined) this.#put(sign);
      else this.#steer(command, parameter);
    }
  }

  #put(sign: string): void {
    if (sign === '\r') this.#column = 0;
    else if (sign === '\n') this.#to(this.#row + 1);
    else if (sign >= ' ' && !sign.startsWith('\x1b')) {
      const row = [...(this.#rows[this.#row] ?? '').padEnd(this.#column)];
      row[this.#column] = sign;
      this.#rows[this.#row] = row.join('');
      this.#column++;
    }
  }

  #steer(command: string, parameter: string): void {
    const count = Number(parameter) || 1;
    if (command === 'A') this.#to(Math.max(0, this.#row - count));
    if (command === 'B') this.#to(this.#row + count);
    if (command === 'C') this.#column += count;
    if (command === 'G') this.#column = count - 1;
    if (command === 'J' && parameter === '2') this.#rows = [''];
    else if (command === 'J') this.#rows = [...this.#rows.slice(0, this.#row), this.#kept()];
    if (command === 'K') this.#rows[this.#row] = this.#kept();
    if (command === 'H') [this.#row, this.#column] = [0, 0];
  }

  #kept(): string {
    return [...(this.#rows[this.#row] ?? '')].slice(0, this.#column).join('');
  }

  #to(row: number): void {
    this.#row = row;
    while (this.#rows.length <= row) this.#rows.push('');
  }
}
