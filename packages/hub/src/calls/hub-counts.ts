/** What calls of each tool came to in this hub: what is to be written, and what a monitor reads. */
import { CallCounts, type CountedTool, type Ended, type ToolName } from '@junctor/core/internal';

/** So many tools are told apart since the start; a monitor that reads more would suffer. The rest is counted together. */
const MAX_APART = 2000;
const OTHER_TOOLS = '(other)';

export class HubCounts {
  #fresh = new CallCounts();
  /** Since the hub began: what a monitor reads. */
  readonly #sinceStart = new CallCounts();
  readonly #outcomes = new Map<string, Map<string, number>>();

  count(name: ToolName, ended: Ended): void {
    this.#fresh.add(name, ended);
    const isApart = this.#sinceStart.size < MAX_APART || this.#sinceStart.has(name);
    this.#sinceStart.add(isApart ? name : { ...name, tool: OTHER_TOOLS }, ended);
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

  /** Hands over what is new, to be written. */
  take(): readonly CountedTool[] {
    const taken = this.#fresh.sorted();
    this.#fresh = new CallCounts();
    return taken;
  }

  sinceStart(): readonly CountedTool[] {
    return this.#sinceStart.sorted();
  }
}
