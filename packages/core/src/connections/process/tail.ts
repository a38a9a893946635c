/** The last lines somebody wrote, bounded: what a person needs to see when a program died. */
export class Tail {
  readonly #maxCharacters: number;
  #text = '';
  #follower: ((chunk: string) => void) | undefined;
  #onLine: ((line: string) => void) | undefined;
  #line = '';

  constructor(maxCharacters = 8 * 1024) {
    this.#maxCharacters = maxCharacters;
  }

  push(chunk: string): void {
    this.#text = (this.#text + chunk).slice(-this.#maxCharacters);
    this.#follower?.(plain(chunk));
    if (this.#onLine) this.#pushLine(chunk);
  }

  /** Told of every line from now on, and of what is kept so far: for a log. */
  logTo(onLine: (line: string) => void): void {
    this.#onLine = onLine;
    if (this.#text !== '') this.#pushLine(this.#text);
  }

  #pushLine(chunk: string): void {
    const lines = (this.#line + chunk).split('\n');
    // A line without an end must not grow without one.
    this.#line = (lines.pop() ?? '').slice(-this.#maxCharacters);
    for (const line of lines) if (line.trim() !== '') this.#onLine?.(plain(line).slice(0, this.#maxCharacters));
  }

  /** From now on told of what is written, as plain text. Undefined: nobody is. */
  follow(follower: ((chunk: string) => void) | undefined): void {
    this.#follower = follower;
  }

  /** As plain text: colours and other orders to a terminal are the program's, not ours to pass on. */
  lines(count: number): string {
    const lines = plain(this.#text).trimEnd().split('\n');
    return lines
      .filter(line => !FOREIGN_FRAME.test(line))
      .slice(-count)
      .join('\n');
  }
}

/** Where in Node or in a package an error came from: such lines would push out the one that says what is wrong. */
const FOREIGN_FRAME = /^\s+at .*(?:node:|node_modules[/\\])/;

const TERMINAL_ORDERS = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|.?)/g;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

function plain(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(TERMINAL_ORDERS, '').replace(CONTROLS, '');
}
