/** What calls of each tool came to: counted while they end, written now and then. */
import { durationClass } from '@junctor/core/inside';

export interface Tally {
  readonly agent: string;
  readonly server: string;
  readonly tool: string;
  calls: number;
  errors: number;
  bytes: number;
  totalMs: number;
  lastUsed: number;
  /** How many took about as long, by class. */
  readonly durations: Map<number, number>;
}

export interface ToolName {
  readonly agent?: string | undefined;
  readonly server: string;
  readonly tool: string;
}

export interface Took {
  readonly failed: boolean;
  readonly bytes: number;
  readonly ms: number;
}

/** So many tools are told apart since the start; a monitor that reads more would suffer. The rest is counted together. */
const MAX_APART = 2000;
const OTHER_TOOLS = '(other)';

export class Tallies {
  #fresh = new Map<string, Tally>();
  /** Since the hub began: what a monitor reads. */
  readonly #sinceStart = new Map<string, Tally>();
  readonly #outcomes = new Map<string, Map<string, number>>();

  count(name: ToolName, took: Took): void {
    const key = keyOf(name);
    add(this.#fresh, key, name, took);
    if (this.#sinceStart.has(key) || this.#sinceStart.size < MAX_APART) add(this.#sinceStart, key, name, took);
    else {
      const { agent, server } = name;
      const other = { agent, server, tool: OTHER_TOOLS };
      add(this.#sinceStart, keyOf(other), other, took);
    }
  }

  /** What became of a call of this server, also of one that was never sent. */
  note(server: string, outcome: string): void {
    const counts = this.#outcomes.get(server) ?? new Map<string, number>();
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    this.#outcomes.set(server, counts);
  }

  /** By server and outcome, since the hub began. */
  outcomes(): ReadonlyMap<string, ReadonlyMap<string, number>> {
    return this.#outcomes;
  }

  /** Hands over what is new, to be written. In the same order everywhere: two hubs must not wait for each other's rows. */
  take(): readonly Tally[] {
    const taken = [...this.#fresh].sort(([one], [other]) => (one < other ? -1 : 1));
    this.#fresh = new Map();
    return taken.map(([, tally]) => tally);
  }

  sinceStart(): readonly Tally[] {
    return [...this.#sinceStart.values()];
  }
}

function keyOf({ agent = '', server, tool }: ToolName): string {
  return `${agent}\0${server}\0${tool}`;
}

function add(tallies: Map<string, Tally>, key: string, { agent = '', server, tool }: ToolName, took: Took): void {
  const { failed, bytes, ms } = took;
  const at = durationClass(ms);
  let tally = tallies.get(key);
  if (!tally) {
    tally = { agent, server, tool, calls: 0, errors: 0, bytes: 0, totalMs: 0, lastUsed: 0, durations: new Map() };
    tallies.set(key, tally);
  }
  tally.calls++;
  if (failed) tally.errors++;
  tally.bytes += bytes;
  tally.totalMs += ms;
  tally.lastUsed = Date.now();
  tally.durations.set(at, (tally.durations.get(at) ?? 0) + 1);
}
