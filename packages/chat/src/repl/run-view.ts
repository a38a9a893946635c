/** A run as the person sees it: the words of the model as they come, the calls that run now, and how each ended. */
import type { Host } from '@junctor/core';
import { plainText } from '@junctor/core/light';
import type { ChatEvent } from '../chat-event.ts';
import { EventLines, nameOf, progressOf, resultOf } from '../show/event-lines.ts';
import { type Masking, WordMask } from '../word-mask.ts';
import type { Screen } from './screen.ts';

export class RunView implements Disposable {
  readonly #screen: Screen;
  readonly #words: WordMask;
  readonly #lines: EventLines;
  /** What runs now, by the id of the call. */
  readonly #running = new Map<string, string>();

  constructor(screen: Screen, { mask, unfinishedAt }: Masking, host: Pick<Host, 'mask' | 'nextStep'>) {
    this.#screen = screen;
    this.#words = new WordMask({
      mask: text => plainText(mask(text), { maxChars: Number.POSITIVE_INFINITY, lines: true }),
      unfinishedAt,
    });
    this.#lines = new EventLines(host);
    this.#show();
  }

  readonly hear = (event: ChatEvent): void => {
    if (event.type === 'text') return this.#screen.write(this.#words.push(event.text));
    if (event.type === 'step-end') return this.#endText();
    if (event.type === 'tool-begin') {
      this.#endText();
      this.#running.set(event.id, nameOf(event));
    }
    if (event.type === 'tool-progress' && !resultOf(event.output)) {
      this.#running.set(event.id, `${nameOf(event)} ${progressOf(event.output)}`);
      return this.#show();
    }
    if (event.type === 'tool-end') this.#running.delete(event.id);
    for (const line of this.#lines.of(event)) this.#screen.say(line);
    this.#show();
  };

  [Symbol.dispose](): void {
    this.#endText();
    this.#screen.show([]);
  }

  #endText(): void {
    this.#screen.write(this.#words.rest());
    this.#screen.endLine();
  }

  #show(): void {
    const calls = [...this.#running.values()].map(line => `  ⋯ ${line}`);
    this.#screen.show([...calls, '… working, Ctrl-C stops it']);
  }
}
