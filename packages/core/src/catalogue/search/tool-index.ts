/** Finds tools by what somebody says they need. Knows no server and no file: it is told what there is. */

import { gatherEvidence, type ToolFacts } from './evidence.ts';
import { ExactNames } from './exact-names.ts';
import { NearWords } from './near-words.ts';
import { Postings } from './postings.ts';
import { readQuery } from './query.ts';
import { rank } from './ranking.ts';
import { tellingStems } from './telling-words.ts';
import { openingOf, sameText, type ToolText, textOf } from './tool-text.ts';
import type { WordVectors } from './word-vectors.ts';
import { wordWeights } from './word-weights.ts';

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

interface IndexedTool extends ToolFacts {
  readonly text: ToolText;
}

interface Shelf {
  readonly source: readonly SearchableTool[];
  readonly slots: ReadonlyMap<string, number>;
}

/** Names and beginnings are shorter; what is compared with them need not be longer. */
const MAX_FACT_CHARS = 400;

/** A tool takes about a tenth of a millisecond: more of them in one step would be felt by calls that wait meanwhile. */
const STEP = 50;

export class ToolIndex {
  readonly #postings = new Postings();
  readonly #names = new ExactNames();
  readonly #tools: (IndexedTool | undefined)[] = [];
  readonly #shelves = new Map<string, Shelf>();
  readonly #vectors: () => WordVectors | undefined;
  /** Of the tools as they are; undefined after they changed. */
  #nearWords: NearWords | undefined;

  /** With vectors, which are asked for at the first search, words near in meaning are found too. */
  constructor(vectors: () => WordVectors | undefined = () => undefined) {
    this.#vectors = vectors;
  }

  setServer(server: string, tools: readonly SearchableTool[]): void {
    for (const _pause of this.settingServer(server, tools));
  }

  /**
   * The same in steps: whoever has other work does it in between, and searches after the last. Tools whose text is the
   * same as before are left as they are.
   */
  *settingServer(server: string, tools: readonly SearchableTool[]): Generator<void> {
    const before = this.#shelves.get(server);
    if (before?.source === tools) return;
    const gone = new Set(before?.slots.values());
    const changed: { readonly tool: string; readonly text: ToolText }[] = [];
    const slots = new Map<string, number>();
    for (const [tool, searchable] of new Map(tools.map(one => [one.tool, one]))) {
      const text = textOf({ ...searchable, server });
      const slot = before?.slots.get(tool);
      const old = slot === undefined ? undefined : this.#tools[slot];
      if (slot !== undefined && old && sameText(old.text, text)) {
        gone.delete(slot);
        slots.set(tool, slot);
      } else changed.push({ tool, text });
      if ((slots.size + changed.length) % STEP === 0) yield;
    }
    this.#drop(gone);
    for (const [at, { tool, text }] of changed.entries()) {
      slots.set(tool, this.#add(server, tool, text));
      if (at % STEP === STEP - 1) yield;
    }
    this.#shelves.set(server, { source: tools, slots });
  }

  dropServer(server: string): void {
    this.#drop(new Set(this.#shelves.get(server)?.slots.values()));
    this.#shelves.delete(server);
  }

  search(query: string, limit: number): readonly FoundTool[] {
    const wanted = Math.max(0, Math.floor(limit) || 0);
    const exact = new Set(this.#names.find(query));
    const ranked = rank(this.#evidence(query), wanted + exact.size);
    const first = [...exact].map(slot => ({ slot, score: 1 }));
    const others = ranked.filter(({ slot }) => !exact.has(slot));
    return [...first, ...others].slice(0, wanted).map(({ slot, score }) => {
      const { server, tool } = this.#tools[slot] as IndexedTool;
      return { server, tool, score };
    });
  }

  #evidence(query: string): ReturnType<typeof gatherEvidence> {
    const sentences = readQuery(query);
    const vectors = this.#vectors();
    if (vectors) {
      this.#nearWords ??= new NearWords(vectors, this.#postings);
      this.#nearWords.widen(sentences);
    }
    return gatherEvidence(sentences, {
      postings: this.#postings,
      facts: slot => this.#tools[slot] as IndexedTool,
      serverSizes: new Map([...this.#shelves].map(([server, { slots }]) => [server, slots.size])),
    });
  }

  #add(server: string, tool: string, text: ToolText): number {
    const slot = this.#postings.add(wordWeights(text));
    this.#nearWords = undefined;
    const stems = (part: string): string[] => [...new Set(tellingStems(part, MAX_FACT_CHARS, 'parts'))];
    this.#names.add(slot, { server, tool });
    this.#tools[slot] = { server, tool, text, name: stems(text.name), opening: stems(openingOf(text.description)) };
    return slot;
  }

  #drop(slots: ReadonlySet<number>): void {
    if (slots.size === 0) return;
    this.#nearWords = undefined;
    this.#postings.drop(slots);
    for (const slot of slots) {
      this.#names.drop(slot);
      this.#tools[slot] = undefined;
    }
  }
}
