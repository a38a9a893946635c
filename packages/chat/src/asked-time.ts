/** How long a person was asked about each call: that is no time of its tool. */
import type { Ask } from '@junctor/core';
import type { ChatEvent } from './chat-event.ts';
import { NATIVE } from './native/permitted.ts';

export class AskedTime {
  /** Milliseconds by call: the same call asked about twice at once counts once for each. */
  readonly #asked = new Map<string, number>();
  readonly #calls = new Map<string, string>();

  /** The same question, with its time noted. */
  timed(ask: Ask | undefined): Ask | undefined {
    if (!ask) return undefined;
    return async question => {
      const since = performance.now();
      try {
        return await ask(question);
      } finally {
        const call = callKey(question.server, question.tool, question.args);
        this.#asked.set(call, (this.#asked.get(call) ?? 0) + performance.now() - since);
      }
    };
  }

  /** The same event; the duration of a call without the time of the person. */
  without(event: ChatEvent): ChatEvent {
    if (event.type === 'tool-begin')
      this.#calls.set(event.id, callKey(event.from?.server ?? NATIVE, event.from?.name ?? event.tool, event.input));
    if (event.type !== 'tool-end') return event;
    const call = this.#calls.get(event.id) ?? '';
    const asked = this.#asked.get(call) ?? 0;
    this.#calls.delete(event.id);
    this.#asked.delete(call);
    return { ...event, ms: Math.max(0, Math.round(event.ms - asked)) };
  }
}

function callKey(server: string, tool: string, args: unknown): string {
  return JSON.stringify([server, tool, args ?? {}]);
}
