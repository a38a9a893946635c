/**
 * Answers that count for a while: of tools that only read, or that may be run twice. It is off unless the config gives it a
 * time. An answer counts for the same server, tool, arguments, credentials and session, and for nobody else.
 */
import { canonicalJson } from '../base/json/canonical-json.ts';
import { sha256 } from '../base/sha256.ts';
import type { Clock } from '../base/time/clock.ts';
import type { ToolResult } from '../results/tool-result.ts';

export interface CacheKey {
  readonly server: string;
  /** How the server is defined: another definition is another server. */
  readonly definition: string;
  readonly tool: string;
  readonly args: unknown;
  /** What the server is shown as credentials. */
  readonly credentials: string | undefined;
  readonly session: string | undefined;
}

interface Held {
  readonly server: string;
  readonly result: ToolResult;
  readonly until: number;
  readonly chars: number;
}

/** Beyond either, the answer that was unused for longest goes. */
const MAX_ANSWERS = 1000;
const MAX_CHARS = 32_000_000;

export class ResultCache {
  /** Ordered by last use. */
  readonly #held = new Map<string, Held>();
  readonly #clock: Clock;
  /** Counts how often each server was dropped: an answer that was asked for before that is not kept. */
  readonly #drops = new Map<string, number>();
  #chars = 0;
  /** 0: it is off. */
  ttlMs: number;

  constructor(ttlMs: number, clock: Clock) {
    this.ttlMs = ttlMs;
    this.#clock = clock;
  }

  /** The place of one call: what is held there, and the way to put an answer there. */
  place(key: CacheKey): CachePlace {
    const { server, definition, tool, args, credentials = '', session = '' } = key;
    const name = sha256([server, definition, tool, credentials, session, canonicalJson(args)].join('\0'));
    const drops = this.#drops.get(server) ?? 0;
    return {
      held: this.#find(name),
      keep: result => {
        if (drops === (this.#drops.get(server) ?? 0)) this.#keep(name, server, result);
      },
    };
  }

  /** The server is not what it was: nothing it said counts any more. */
  drop(server: string): void {
    this.#drops.set(server, (this.#drops.get(server) ?? 0) + 1);
    for (const [name, held] of this.#held) if (held.server === server) this.#remove(name, held);
  }

  #find(name: string): ToolResult | undefined {
    const held = this.#held.get(name);
    if (!held) return undefined;
    this.#remove(name, held);
    const leftMs = held.until - this.#clock.now();
    // More than it ever had: the clock was put back, and nobody knows how old it is.
    if (leftMs <= 0 || leftMs > this.ttlMs) return undefined;
    this.#add(name, held);
    return { ...held.result, cached: true };
  }

  #keep(name: string, server: string, result: ToolResult): void {
    // A failure may be over the next time.
    if (!result.success) return;
    const chars = JSON.stringify(result).length;
    if (chars > MAX_CHARS / 10) return;
    const before = this.#held.get(name);
    if (before) this.#remove(name, before);
    this.#add(name, { server, result, until: this.#clock.now() + this.ttlMs, chars });
    for (const [oldest, held] of this.#held) {
      if (this.#held.size <= MAX_ANSWERS && this.#chars <= MAX_CHARS) return;
      this.#remove(oldest, held);
    }
  }

  #add(name: string, held: Held): void {
    this.#held.set(name, held);
    this.#chars += held.chars;
  }

  #remove(name: string, held: Held): void {
    this.#held.delete(name);
    this.#chars -= held.chars;
  }
}

export interface CachePlace {
  readonly held: ToolResult | undefined;
  keep(result: ToolResult): void;
}
