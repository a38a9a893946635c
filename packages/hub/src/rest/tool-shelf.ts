/** Tools as lists and searches of people show them: in short, and found in the order in which a model finds them. */
import type { Entry, Host } from '@junctor/core';
import { definitionTokens, FollowedIndex, searchedTool, toolKey } from '@junctor/core/internal';

export interface ShortTool {
  readonly name: string;
  readonly server: string;
  readonly tool: string;
  readonly description: string;
  readonly tokens: number;
  readonly effect: Effect;
}

/** What its server says that it does. */
export const EFFECTS = ['reads', 'writes', 'destroys', 'unsaid'] as const;
export type Effect = (typeof EFFECTS)[number];

/** A line or two of a list. */
const SHORT = 240;

export class ToolShelf {
  /** Definitions are never changed in place. */
  readonly #short = new WeakMap<Entry, ShortTool>();
  readonly #indexes = new WeakMap<Host, FollowedIndex>();

  short(entry: Entry): ShortTool {
    let short = this.#short.get(entry);
    if (!short) {
      const { name, server, tool, definition } = entry;
      const { description = '' } = definition;
      // As the server has it: what a model is shown is worked out when a model asks, and of ten thousand that takes a while.
      const tokens = definitionTokens([definition]);
      short = { name, server, tool, description: shortened(description), tokens, effect: effectOf(definition) };
      this.#short.set(entry, short);
    }
    return short;
  }

  /** The best first. A public name finds its tool. */
  async find(host: Host, entries: readonly Entry[], query: string, limit: number): Promise<Entry[]> {
    let index = this.#indexes.get(host);
    if (!index) {
      index = new FollowedIndex(host.wordVectors);
      this.#indexes.set(host, index);
    }
    const byKey = new Map(entries.map(entry => [toolKey(entry), entry]));
    const named = entries.filter(({ name }) => name === query.trim());
    const best = await index.search(entries.map(searchedTool), query, limit);
    const ranked = best.flatMap(found => byKey.get(toolKey(found)) ?? []);
    return [...new Set([...named, ...ranked])].slice(0, limit);
  }
}

/** Ends after a whole word where there is one, with a sign that more follows. */
function shortened(text: string): string {
  return text.length > SHORT ? `${text.slice(0, SHORT).replace(/\s+\S{0,40}$/, '')}…` : text;
}

function effectOf({ annotations }: Entry['definition']): Effect {
  const { readOnlyHint, destructiveHint } = (annotations ?? {}) as {
    readOnlyHint?: unknown;
    destructiveHint?: unknown;
  };
  if (readOnlyHint === true) return 'reads';
  if (destructiveHint === true) return 'destroys';
  return readOnlyHint === false || destructiveHint === false ? 'writes' : 'unsaid';
}
