/** The sendings of one call that failed: it is sent again only where it cannot have run, or where running it twice does no harm. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isJunctorError } from '../base/error.ts';
import { waitAfter } from '../link/backoff.ts';
import type { CallOptions, CallRooms, ToolRef } from './call.ts';
import { unknownTool } from './no-such-tool.ts';
import { outcomeOf } from './outcome.ts';
import { MAX_SENDINGS, mayRepeat } from './repeat.ts';
import { visitFirst } from './visit-first.ts';

type Rooms = Pick<CallRooms, 'withheld' | 'repeatable' | 'list' | 'answers' | 'results'>;

export class Attempts {
  readonly #rooms: Rooms;
  readonly #ref: ToolRef;
  readonly #signal: AbortSignal | undefined;
  #sendings = 0;
  #visited = false;
  #unsure = false;

  constructor(rooms: Rooms, ref: ToolRef, { signal }: Pick<CallOptions, 'signal'>) {
    this.#rooms = rooms;
    this.#ref = ref;
    this.#signal = signal;
  }

  /** Comes back when it is time to send it again; throws where that makes no sense. `since`: when the server was asked. */
  async failed(error: unknown, { sent, since }: { sent: boolean; since: number }): Promise<void> {
    try {
      await this.#beforeNext(error, sent);
    } catch (final) {
      this.#rooms.results.failed(this.#ref, since, final);
      throw final;
    }
  }

  async #beforeNext(error: unknown, sent: boolean): Promise<void> {
    this.#sendings++;
    if (isJunctorError(error)) error.outcome = outcomeOf(error, sent);
    const { answers, repeatable, list, withheld } = this.#rooms;
    const visit = visitFirst(error, this.#ref, { answers, signal: this.#signal, again: this.#visited });
    if (visit) {
      await visit;
      this.#visited = true;
      return;
    }
    // One that may have run once may have run, whatever became of it later.
    if (isJunctorError(error) && this.#unsure && error.outcome === 'not_sent') error.outcome = 'unknown';
    this.#unsure ||= isJunctorError(error) && error.outcome === 'unknown';
    const again = this.#sendings < MAX_SENDINGS && mayRepeat(error, () => repeatable?.(this.#ref) ?? false);
    if (!again || this.#signal?.aborted) throw (await unknownTool(error, this.#ref, list)) ?? error;
    await sleep(waitAfter(this.#sendings), undefined, { signal: this.#signal }).catch(() => {});
    // A new connection may lead to another version of the server, in which nobody approved the tool.
    if (await withheld?.(this.#ref)?.catch(() => error)) throw error;
  }
}
