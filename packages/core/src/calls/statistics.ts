/** What calls of each tool came to: how many, how many failed, how long they took, how much they brought. */
import { tokensOf } from '../base/text/tokens.ts';
import type { ToolCall } from '../permissions/caller.ts';
import { addDurations, type Durations, durationClass } from './durations.ts';
import { type CallEnd, type CallObserver, countsInStatistics } from './observer.ts';

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

export interface ToolName {
  /** Who called it; left out where nobody asks by agent. */
  readonly agent?: string | undefined;
  readonly server: string;
  readonly tool: string;
}

export interface Ended {
  /** How long the server took. The time a person was waited for is no part of it. */
  readonly ms: number;
  readonly failed: boolean;
  readonly bytes: number;
  readonly tokens?: number | undefined;
}

/** What is counted of one tool, while it grows. Numbers as keys of an object would be slow. */
export interface CountedTool {
  readonly agent: string;
  readonly server: string;
  readonly tool: string;
  calls: number;
  errors: number;
  cached: number;
  bytes: number;
  tokens: number;
  totalMs: number;
  lastUsed: number;
  /** How many took about as long, by class. */
  readonly durations: Map<number, number>;
}

/** Counts calls by agent, server and tool. Counting is all that is done while a call runs. */
export class CallCounts {
  /** By agent, server and tool, one map inside the other: joining the names to a key would cost every call a string. */
  readonly #byAgent = new Map<string, Map<string, Map<string, CountedTool>>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has({ agent = '', server, tool }: ToolName): boolean {
    return this.#byAgent.get(agent)?.get(server)?.has(tool) ?? false;
  }

  add(name: ToolName, { ms, failed, bytes, tokens = 0 }: Ended): void {
    const counted = this.#counted(name);
    counted.calls++;
    if (failed) counted.errors++;
    counted.bytes += bytes;
    counted.tokens += tokens;
    counted.totalMs += ms;
    const at = durationClass(ms);
    counted.durations.set(at, (counted.durations.get(at) ?? 0) + 1);
  }

  addCached(name: ToolName): void {
    this.#counted(name).cached++;
  }

  /** By name, in the same order everywhere: two processes that write them must not wait for each other's rows. */
  sorted(): CountedTool[] {
    const servers = this.#byAgent.values().flatMap(byServer => byServer.values());
    const counted = servers.flatMap(byTool => byTool.values()).toArray();
    return counted.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  }

  #counted(name: ToolName): CountedTool {
    const { agent = '', server, tool } = name;
    const counted = this.#byAgent.get(agent)?.get(server)?.get(tool) ?? this.#begin(agent, server, tool);
    counted.lastUsed = Date.now();
    return counted;
  }

  #begin(agent: string, server: string, tool: string): CountedTool {
    const none = { calls: 0, errors: 0, cached: 0, bytes: 0, tokens: 0, totalMs: 0, lastUsed: 0 };
    const counted = { agent, server, tool, ...none, durations: new Map() };
    const byServer = this.#byAgent.get(agent) ?? new Map<string, Map<string, CountedTool>>();
    const byTool = byServer.get(server) ?? new Map<string, CountedTool>();
    this.#byAgent.set(agent, byServer.set(server, byTool.set(tool, counted)));
    this.#size++;
    return counted;
  }
}

function keyOf({ agent, server, tool }: CountedTool): string {
  return `${agent}\0${server}\0${tool}`;
}

/** Counts the calls of this process, until what is new is taken. */
export class Statistics implements CallObserver {
  #fresh = new CallCounts();
  /** Called when there is something to keep. */
  readonly #onNews: () => void;

  constructor(onNews: () => void = () => {}) {
    this.#onNews = onNews;
  }

  ended({ ref }: ToolCall, end: CallEnd): void {
    const { failed, bytes, servedMs = 0, result, cached } = end;
    if (!cached && !countsInStatistics(end)) return;
    if (this.#fresh.size === 0) this.#onNews();
    if (cached) this.#fresh.addCached(ref);
    else this.#fresh.add(ref, { ms: servedMs, failed, bytes, tokens: result ? tokensOf(result.output.length) : 0 });
  }

  /** Hands over what is new, and begins anew. */
  take(): Tallies {
    const taken = this.fresh;
    this.#fresh = new CallCounts();
    return taken;
  }

  get fresh(): Tallies {
    const byServer = Map.groupBy(this.#fresh.sorted(), ({ server }) => server);
    return new Map([...byServer].map(([server, tools]) => [server, new Map(tools.map(tallyOf))]));
  }
}

function tallyOf({ tool, calls, errors, cached, bytes, tokens, lastUsed, durations }: CountedTool): [string, Tally] {
  return [tool, { calls, errors, cached, bytes, tokens, lastUsed, durations: Object.fromEntries(durations) }];
}

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
