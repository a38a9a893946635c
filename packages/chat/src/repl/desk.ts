/**
 * The person at the terminal: what is said to them, what they type, and questions that are put to them while other things go
 * on. One question is open at a time; its answer goes to whoever asked.
 */

import { emitKeypressEvents } from 'node:readline';
import type { ReadStream } from 'node:tty';
import { type Key, LineEditor } from './line-editor.ts';
import { type Paper, Screen } from './screen.ts';

export interface DeskOptions {
  readonly input: ConstructorParameters<typeof Keyboard>[0];
  readonly output: Paper & {
    on(event: 'resize', heard: () => void): unknown;
    off(event: 'resize', heard: () => void): unknown;
  };
  readonly history: readonly string[];
  onLine(line: string): void;
  /** Ctrl-C, with what was typed thrown away. */
  onInterrupt(): void;
  /** Ctrl-D, or the terminal is gone. */
  onLeave(): void;
  /** The text with what is meant filled in, or the possibilities where there are several. */
  complete(text: string): Promise<{ readonly text: string; readonly options: readonly string[] }>;
}

interface OpenQuestion {
  readonly prompt: string;
  settle(answer: string | undefined): void;
}

const PROMPT = '› ';

export class Desk implements Disposable {
  readonly screen: Screen;
  readonly #options: DeskOptions;
  readonly #keyboard: Keyboard;
  readonly #history: string[];
  readonly #questions: OpenQuestion[] = [];
  #editor: LineEditor;
  /** What was being typed when a question came. */
  #aside: LineEditor | undefined;
  #lent: Promise<unknown> = Promise.resolve();
  #isLent = false;

  constructor(options: DeskOptions) {
    this.#options = options;
    this.#history = [...options.history];
    this.screen = new Screen(options.output);
    this.#editor = new LineEditor(this.#history);
    this.#keyboard = new Keyboard(
      options.input,
      options.output,
      key => this.#press(key),
      () => options.onLeave(),
    );
    options.output.on('resize', this.#repaint);
    this.#keyboard.open();
    this.#repaint();
  }

  say(text: string): void {
    this.screen.say(text);
  }

  /** Undefined when there will be no answer: Ctrl-C, or nobody waits for it any more. */
  ask(prompt: string, signal?: AbortSignal): Promise<string | undefined> {
    if (signal?.aborted) return Promise.resolve(undefined);
    return new Promise(resolve => {
      const question: OpenQuestion = {
        prompt,
        settle: answer => {
          const at = this.#questions.indexOf(question);
          if (at < 0) return;
          this.#questions.splice(at, 1);
          signal?.removeEventListener('abort', onAbort);
          if (at === 0) this.#turnTo(this.#questions[0]);
          resolve(answer);
        },
      };
      const onAbort = (): void => question.settle(undefined);
      signal?.addEventListener('abort', onAbort);
      this.#questions.push(question);
      if (this.#questions.length === 1) this.#turnTo(question);
    });
  }

  /** Whether nothing is typed and nothing asked: a question now takes nobody's words. */
  get isFree(): boolean {
    return !this.#isLent && this.#questions.length === 0 && this.#editor.text === '';
  }

  /** Somebody else reads the terminal for a while; one after the other. */
  lend<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const lent = this.#lent.then(() => this.#lendNow(work));
    this.#lent = lent.catch(() => {});
    return lent;
  }

  async #lendNow<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    this.screen.hold();
    this.#keyboard.close();
    this.#isLent = true;
    try {
      return await work();
    } finally {
      this.#isLent = false;
      this.#keyboard.open();
      this.screen.release();
    }
  }

  [Symbol.dispose](): void {
    for (const question of [...this.#questions]) question.settle(undefined);
    this.#options.output.off('resize', this.#repaint);
    this.screen.endLine();
    this.screen.input(undefined);
    this.#keyboard.close();
  }

  #turnTo(question: OpenQuestion | undefined): void {
    if (question) {
      this.#aside ??= this.#editor;
      this.#editor = new LineEditor();
    } else {
      this.#editor = this.#aside ?? this.#editor;
      this.#aside = undefined;
    }
    this.#repaint();
  }

  #press(key: Key): void {
    if (key.ctrl && key.name === 'c') return this.#interrupt();
    if (key.ctrl && key.name === 'l') return this.screen.clear();
    if (key.name === 'tab' && this.#questions.length === 0 && this.#editor.text !== '') return void this.#complete();
    const edited = this.#editor.press(key);
    if (edited === 'submit') return this.#submit();
    if (edited === 'leave') return this.#leave();
    if (edited === 'changed') this.#repaint();
  }

  #interrupt(): void {
    const [question] = this.#questions;
    if (question) question.settle(undefined);
    else this.#editor = new LineEditor(this.#history);
    this.#repaint();
    this.#options.onInterrupt();
  }

  #leave(): void {
    const [question] = this.#questions;
    if (question) question.settle(undefined);
    else this.#options.onLeave();
  }

  #submit(): void {
    const { text } = this.#editor;
    const [question] = this.#questions;
    this.screen.say(`${question?.prompt ?? PROMPT}${text.replaceAll('\n', '\n  ')}`);
    if (question) return question.settle(text.trim());
    if (text.trim() !== '' && text !== this.#history.at(-1)) this.#history.push(text);
    this.#editor = new LineEditor(this.#history);
    this.#repaint();
    if (text.trim() !== '') this.#options.onLine(text.trim());
  }

  async #complete(): Promise<void> {
    const editor = this.#editor;
    const typed = editor.text.slice(0, editor.cursor);
    const rest = editor.text.slice(editor.cursor);
    const { text, options } = await this.#options.complete(typed);
    // Whoever typed on meanwhile is not disturbed.
    if (this.#editor !== editor || editor.text !== typed + rest) return;
    if (options.length > 1) this.screen.say(options.join('  '));
    editor.replace(text + rest, text.length);
    this.#repaint();
  }

  readonly #repaint = (): void => {
    const { text, cursor } = this.#editor;
    this.screen.input({ prompt: this.#questions[0]?.prompt ?? PROMPT, text, cursor });
  };
}

// Keys of a terminal, one by one. Closing it leaves the terminal as it was.

/** What is pasted comes marked as such. */
const PASTE_ON = '\x1b[?2004h';
const PASTE_OFF = '\x1b[?2004l';

class Keyboard implements Disposable {
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
