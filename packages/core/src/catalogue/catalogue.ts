/** The tools of every server that was asked, and the numbered snapshots made of them. It is given tools; it asks nobody. */
import type { ToolDefinition } from './entry.ts';
import type { NamingStrategy } from './naming/strategy.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';

export class Catalogue {
  readonly #tools = new Map<string, readonly ToolDefinition[]>();
  #latest: { readonly snapshot: Snapshot; readonly naming: NamingStrategy } | undefined;
  #number = 0;

  has(server: string): boolean {
    return this.#tools.has(server);
  }

  toolsOf(server: string): readonly ToolDefinition[] | undefined {
    return this.#tools.get(server);
  }

  put(server: string, tools: readonly ToolDefinition[]): void {
    this.#tools.set(server, tools);
    this.#latest = undefined;
  }

  /** Forgets what a server offers, until it is asked again. */
  drop(server: string): void {
    if (this.#tools.delete(server)) this.#latest = undefined;
  }

  /** The last snapshot while it still holds: lets a hot path go on without waiting. */
  get latest(): Snapshot | undefined {
    return this.#latest?.snapshot;
  }

  snapshot(naming: NamingStrategy): Snapshot {
    if (this.#latest?.naming !== naming) {
      this.#latest = { naming, snapshot: takeSnapshot(this.#tools, { number: ++this.#number, naming }) };
    }
    return this.#latest.snapshot;
  }
}
