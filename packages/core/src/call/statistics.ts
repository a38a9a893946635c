/** What calls of each tool came to: how many, how many failed, how long they took, how much they brought. */
import { isJunctorError } from '../base/error.ts';
import { addDurations, type Durations, durationClass } from './durations.ts';

/** All that is kept of a tool. Two of the same tool add up. */
export interface Tally {
  readonly calls: number;
  /** Calls that ended as a tool error, or in no answer at all. */
  readonly errors: number;
  /** Answers that came from the cache; they are no calls. */
  readonly cached: number;
  /** What the server sent. */
  readonly bytes: number;
  /** What was handed on of it. */
  readonly tokens: number;
  readonly lastUsed: number;
  readonly durations: Durations;
}

/** By server, by tool. */
export type Tallies = ReadonlyMap<string, ReadonlyMap<string, Tally>>;

export interface Ended {
  readonly ms: number;
  readonly failed: boolean;
  readonly bytes: number;
  readonly tokens: number;
}

/** The same while it grows. Numbers as keys of an object would be slow. */
type Growing = { -readonly [Key in Exclude<keyof Tally, 'durations'>]: number } & { durations: Map<number, number> };

/** What has happened since it was last taken. Counting is all that is done while a call runs. */
export class Statistics {
  #fresh = new Map<string, Map<string, Growing>>();
  /** Told that there is something to keep. */
  readonly #onNews: () => void;

  constructor(onNews: () => void = () => {}) {
    this.#onNews = onNews;
  }

  ended({ server, tool }: ToolName, { ms, failed, bytes, tokens }: Ended): void {
    const tally = this.#tally(server, tool);
    tally.calls++;
    if (failed) tally.errors++;
    tally.bytes += bytes;
    tally.tokens += tokens;
    const at = durationClass(ms);
    tally.durations.set(at, (tally.durations.get(at) ?? 0) + 1);
  }

  /** A call that brought no answer. One that was never made is no call. */
  threw(name: ToolName, ms: number, error: unknown): void {
    if (isJunctorError(error) && NEVER_MADE.has(error.code)) return;
    this.ended(name, { ms, failed: true, bytes: 0, tokens: 0 });
  }

  answeredFromCache({ server, tool }: ToolName): void {
    this.#tally(server, tool).cached++;
  }

  /** Hands over what is new, and begins anew. */
  take(): Tallies {
    const taken = this.fresh;
    this.#fresh = new Map();
    return taken;
  }

  get fresh(): Tallies {
    return new Map([...this.#fresh].map(([server, tools]) => [server, new Map([...tools].map(grown))]));
  }

  #tally(server: string, tool: string): Growing {
    let tools = this.#fresh.get(server);
    if (!tools) {
      tools = new Map();
      this.#fresh.set(server, tools);
      this.#onNews();
    }
    let tally = tools.get(tool);
    if (!tally) {
      tally = { calls: 0, errors: 0, cached: 0, bytes: 0, tokens: 0, lastUsed: 0, durations: new Map() };
      tools.set(tool, tally);
    }
    tally.lastUsed = Date.now();
    return tally;
  }
}

function grown([tool, tally]: [string, Growing]): [string, Tally] {
  return [tool, { ...tally, durations: Object.fromEntries(tally.durations) }];
}

interface ToolName {
  readonly server: string;
  readonly tool: string;
}

const NEVER_MADE = new Set(['tool_not_found', 'server_unknown', 'server_unusable', 'trust_required', 'cancelled']);

export function addTallies(one: Tallies, other: Tallies): Tallies {
  const sum = new Map([...one].map(([server, tools]) => [server, new Map(tools)]));
  for (const [server, tools] of other) {
    const known = sum.get(server) ?? new Map<string, Tally>();
    sum.set(server, known);
    for (const [tool, tally] of tools) known.set(tool, addTally(known.get(tool), tally));
  }
  return sum;
}

function addTally(one: Tally | undefined, other: Tally): Tally {
  if (!one) return { ...other, durations: { ...other.durations } };
  return {
    calls: one.calls + other.calls,
    errors: one.errors + other.errors,
    cached: one.cached + other.cached,
    bytes: one.bytes + other.bytes,
    tokens: one.tokens + other.tokens,
    lastUsed: Math.max(one.lastUsed, other.lastUsed),
    durations: addDurations(one.durations, other.durations),
  };
}
