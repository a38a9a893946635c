/** Finds tools by what somebody says they need. Knows no server and no file: it is told what there is. */
import { ExactNames } from './exact-names.ts';
import { Postings } from './postings.ts';
import { sameText, type ToolText, textOf } from './tool-text.ts';
import { stemsOf, wordWeights } from './word-weights.ts';

export interface SearchableTool {
  readonly server: string;
  /** The server's own name for it. */
  readonly tool: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: unknown;
}

export interface FoundTool {
  readonly server: string;
  readonly tool: string;
  /** From 0 to 1; 1 is a tool asked for by its name. Scores of different queries do not compare. */
  readonly score: number;
}

interface IndexedTool {
  readonly server: string;
  readonly tool: string;
  readonly text: ToolText;
}

interface Shelf {
  readonly source: readonly SearchableTool[];
  readonly slots: ReadonlyMap<string, number>;
}

/** Whoever says more has said what they need by then. */
const MAX_QUERY_CHARS = 8_000;

export class ToolIndex {
  readonly #postings = new Postings();
  readonly #names = new ExactNames();
  readonly #tools: (IndexedTool | undefined)[] = [];
  readonly #shelves = new Map<string, Shelf>();

  /** Tools whose text is the same as before are left as they are. */
  setServer(server: string, tools: readonly SearchableTool[]): void {
    const before = this.#shelves.get(server);
    if (before?.source === tools) return;
    const gone = new Set(before?.slots.values());
    const texts = new Map(tools.map(tool => [tool.tool, textOf({ ...tool, server })]));
    const changed: IndexedTool[] = [];
    const slots = new Map<string, number>();
    for (const [tool, text] of texts) {
      const slot = before?.slots.get(tool);
      const old = slot === undefined ? undefined : this.#tools[slot];
      if (slot !== undefined && old && sameText(old.text, text)) {
        gone.delete(slot);
        slots.set(tool, slot);
      } else changed.push({ server, tool, text });
    }
    this.#drop(gone);
    for (const tool of changed) slots.set(tool.tool, this.#add(tool));
    this.#shelves.set(server, { source: tools, slots });
  }

  dropServer(server: string): void {
    this.#drop(new Set(this.#shelves.get(server)?.slots.values()));
    this.#shelves.delete(server);
  }

  search(query: string, limit: number): readonly FoundTool[] {
    const scores = this.#score(query);
    const exact = new Set(this.#names.find(query));
    const best = Math.max(Number.MIN_VALUE, ...[...scores.values()]);
    for (const slot of exact) if (!scores.has(slot)) scores.set(slot, 0);
    return [...scores]
      .map(([slot, score]) => ({ slot, score: exact.has(slot) ? 1 : (0.99 * score) / best, was: score }))
      .sort((a, b) => b.score - a.score || b.was - a.was || a.slot - b.slot)
      .slice(0, Math.max(0, Math.floor(limit) || 0))
      .map(({ slot, score }) => {
        const { server, tool } = this.#tools[slot] as IndexedTool;
        return { server, tool, score };
      });
  }

  #score(query: string): Map<number, number> {
    const scores = new Map<number, number>();
    for (const word of new Set(stemsOf(query, MAX_QUERY_CHARS))) {
      const term = this.#postings.known(word);
      if (term === undefined) continue;
      const posting = this.#postings.posting(term);
      const frequency = this.#postings.frequency(term);
      const rarity = Math.log(1 + (this.#postings.size - frequency + 0.5) / (frequency + 0.5));
      posting?.slots.forEach((slot, at) => {
        scores.set(slot, (scores.get(slot) ?? 0) + rarity * (posting.weights[at] as number));
      });
    }
    return scores;
  }

  #add(tool: IndexedTool): number {
    const { slot } = this.#postings.add(wordWeights(tool.text));
    this.#names.add(slot, tool);
    this.#tools[slot] = tool;
    return slot;
  }

  #drop(slots: ReadonlySet<number>): void {
    this.#postings.drop(slots);
    for (const slot of slots) {
      this.#names.drop(slot);
      this.#tools[slot] = undefined;
    }
  }
}
