/** The tools of every server that was asked, and the numbered snapshots made of them. It is given tools; it asks nobody. */
import type { ToolDefinition } from './entry.ts';
import type { NamingStrategy } from './naming/strategy.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';

export class Catalogue {
  readonly #tools = new Map<string, readonly ToolDefinition[]>();
  readonly #generations = new Map<string, number>();
  #latest: { readonly snapshot: Snapshot; readonly naming: NamingStrategy } | undefined;
  #number = 0;

  has(server: string): boolean {
    return this.#tools.has(server);
  }

  toolsOf(server: string): readonly ToolDefinition[] | undefined {
    return this.#tools.get(server);
  }

  /** How often what this server offers was dropped: tells a list that was asked for before from one asked for since. */
  generation(server: string): number {
    return this.#generations.get(server) ?? 0;
  }

  /** Takes a list in, and says so; not where it was dropped since it was asked for. */
  put(server: string, tools: readonly ToolDefinition[], generation: number): boolean {
    if (generation !== this.generation(server)) return false;
    this.#tools.set(server, tools);
    this.#latest = undefined;
    return true;
  }

  /** Forgets what a server offers, until it is asked again. */
  drop(server: string): void {
    this.#generations.set(server, this.generation(server) + 1);
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
