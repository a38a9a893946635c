/** Instances in the newer era beside a first one that speaks the older, where sessions share a server. */
import type { ResolvedServer } from '@junctor/core';
import type { Upstream } from './upstream.ts';

export class ModernLives {
  /** By what their connections depend on. */
  readonly #lives = new Map<string, Upstream>();
  /** Connections of servers that were found to speak only the older era. */
  readonly #onlyLegacy = new Set<string>();

  get all(): readonly Upstream[] {
    return [...this.#lives.values()];
  }

  /** A server that Junctor starts itself is not started twice, only to be spoken to in another way. */
  mayBeBeside({ server, live }: Upstream): boolean {
    if (server.endpoint.transport !== 'http' || server.endpoint.program || server.protocol === 'legacy') return false;
    return live?.greeting.era !== 'modern' && !this.#onlyLegacy.has(server.connection);
  }

  /** Undefined where there can be none. */
  async of(server: ResolvedServer, begin: () => Upstream): Promise<Upstream | undefined> {
    let upstream = this.#lives.get(server.connection);
    if (!upstream || upstream.isOver) {
      upstream = begin();
      this.#lives.set(server.connection, upstream);
    }
    const link = upstream.live ?? (await upstream.ready().catch(() => undefined));
    if (link?.greeting.era === 'modern') return upstream;
    // What keeps it from answering is told by the first instance, to those who use that.
    if (link) this.#onlyLegacy.add(server.connection);
    if (this.remove(upstream)) await upstream.instance.giveUp();
    return undefined;
  }

  /** False where it is none of them. */
  remove(upstream: Upstream): boolean {
    const { connection } = upstream.server;
    return this.#lives.get(connection) === upstream && this.#lives.delete(connection);
  }
}
