/** Keys of a terminal, one by one. Closing it leaves the terminal as it was. */
import { emitKeypressEvents } from 'node:readline';
import type { ReadStream } from 'node:tty';
import type { Key } from './line-editor.ts';
import type { Paper } from './screen.ts';

/** What is pasted comes marked as such. */
const PASTE_ON = '\x1b[?2004h';
const PASTE_OFF = '\x1b[?2004l';

export class Keyboard implements Disposable {
  readonly #input: ReadStream;
  readonly #paper: Paper;
  readonly #onKey: (key: Key) => void;
  readonly #onEnd: () => void;
  readonly #hear = (_sign: string | undefined, key: Key): void => this.#onKey(key);

  constructor(input: ReadStream, paper: Paper, onKey: (key: Key) => void, onEnd: () => void) {
    this.#input = input;
    this.#paper = paper;
    this.#onKey = onKey;
    this.#onEnd = onEnd;
    emitKeypressEvents(input);
  }

  open(): void {
    this.#input.setRawMode(true);
    this.#input.on('keypress', this.#hear);
    this.#input.on('end', this.#onEnd);
    this.#input.resume();
    this.#paper.write(PASTE_ON);
  }

  close(): void {
    this.#input.off('keypress', this.#hear);
    this.#input.off('end', this.#onEnd);
    this.#paper.write(PASTE_OFF);
    this.#input.setRawMode(false);
    this.#input.pause();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
