/**
 * The calls of tools that have not ended. A run that is given up stops reading them; whoever waits here knows that none is
 * left running.
 */
import type { Tool, ToolSet } from 'ai';

export class InFlight {
  readonly #calls = new Set<Promise<unknown>>();

  /** The same tools, each of their calls followed to its end. */
  follow(tools: ToolSet): ToolSet {
    return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, this.#followed(tool as Tool)]));
  }

  async ended(): Promise<void> {
    while (this.#calls.size > 0) await Promise.allSettled(this.#calls);
  }

  #followed(tool: Tool): Tool {
    const { execute } = tool;
    if (!execute) return tool;
    const follow = (input: never, options: never): unknown => {
      const answer: unknown = execute(input, options);
      if (isIterable(answer)) return this.#drained(answer);
      return this.#add(Promise.resolve(answer));
    };
    return { ...tool, execute: follow } as Tool;
  }

  /** Read to its end, whether or not somebody listens. */
  #drained(source: AsyncIterable<unknown>): AsyncIterable<unknown> {
    const items: unknown[] = [];
    let over = false;
    let wake = (): void => {};
    const draining = this.#add(
      (async () => {
        for await (const item of source) {
          items.push(item);
          wake();
        }
      })(),
    );
    const ended = draining.then(
      () => undefined,
      () => undefined,
    );
    void ended.then(() => {
      over = true;
      wake();
    });
    return (async function* () {
      for (;;) {
        yield* items.splice(0);
        if (over) break;
        await new Promise<void>(resolve => {
          wake = resolve;
        });
      }
      await draining;
    })();
  }

  #add<Answer>(call: Promise<Answer>): Promise<Answer> {
    this.#calls.add(call);
    const forget = (): void => void this.#calls.delete(call);
    call.then(forget, forget);
    return call;
  }
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
