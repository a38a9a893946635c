/** Lives in the newer era beside a first one that speaks the older, where sessions share a server. */
import type { ResolvedServer } from '@junctor/core';
import type { Upstream } from './upstream.ts';

export class ModernLives {
  readonly #lives = new Map<string, Upstream>();
  /** Definitions of servers that were found to speak only the older era. */
  readonly #onlyLegacy = new Set<string>();
  readonly #begin: (server: ResolvedServer) => Upstream;

  constructor(begin: (server: ResolvedServer) => Upstream) {
    this.#begin = begin;
  }

  get all(): readonly Upstream[] {
    return [...this.#lives.values()];
  }

  /** A server that Junctor starts itself is not started twice, only to be spoken to in another way. */
  mayBeBeside({ server, live }: Upstream): boolean {
    if (server.endpoint.transport !== 'http' || server.endpoint.program || server.protocol === 'legacy') return false;
    return live?.greeting.era !== 'modern' && !this.#onlyLegacy.has(server.definition);
  }

  /** Undefined where there can be none. */
  async of(server: ResolvedServer): Promise<Upstream | undefined> {
    let upstream = this.#lives.get(server.id);
    if (upstream?.server.definition !== server.definition) {
      upstream = this.#begin(server);
      this.#lives.set(server.id, upstream);
    }
    const link = upstream.live ?? (await upstream.ready().catch(() => undefined));
    if (link?.greeting.era === 'modern') return upstream;
    // What keeps it from answering is told by the first life, to whoever uses that.
    if (link) this.#onlyLegacy.add(server.definition);
    if (this.remove(upstream)) await upstream.instance.giveUp();
    return undefined;
  }

  /** False where it is none of them. */
  remove(upstream: Upstream): boolean {
    return this.#lives.get(upstream.server.id) === upstream && this.#lives.delete(upstream.server.id);
  }
}
