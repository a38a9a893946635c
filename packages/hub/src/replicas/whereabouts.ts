/** Where the one life of a shared server is, among several hubs: here, or at another, which is reached at its door for hubs. */
import { hash } from 'node:crypto';
import type { Host, ResolvedServer } from '@junctor/core';
import type { Holder, Leased, Leases } from './leases.ts';
import { HUB_PROOF_HEADER, peerDoor } from './peer-door.ts';

export class Whereabouts {
  readonly #leases: Leases;
  readonly #hostWith: (server: ResolvedServer) => Host | undefined;
  readonly #names = new WeakMap<ResolvedServer, string>();

  /** `hostWith`: a host whose servers may run at another hub, and that has this server now, or one with an equal connection. */
  constructor(leases: Leases, hostWith: (server: ResolvedServer) => Host | undefined) {
    this.#leases = leases;
    this.#hostWith = hostWith;
  }

  /** What Junctor starts itself, and sessions share, is to be there once. Nothing is started for any other. */
  covers(server: ResolvedServer): boolean {
    return isStartedOnce(server) && this.#hostWith(server) !== undefined;
  }

  /** At once where it is known. */
  of(server: ResolvedServer): 'here' | 'there' | Promise<unknown> {
    if (!this.covers(server)) return 'here';
    const known = this.#leases.known(this.#nameOf(server));
    if (!known) return this.#find(server);
    return known.holder ? 'there' : 'here';
  }

  /** Where its first life is opened now: as the config says, if it is to run here. */
  async reach(server: ResolvedServer): Promise<ResolvedServer> {
    const holder = await this.#find(server);
    return holder ? this.#at(holder, server) : server;
  }

  /** A line of one session to the hub that runs it, whichever that is by now. Nothing is started for it. */
  async line(server: ResolvedServer): Promise<ResolvedServer> {
    return this.#at((await this.#find(server)) ?? this.#leases.self, server);
  }

  /** The server became another one, or its host is gone. */
  release(server: ResolvedServer): void {
    if (isStartedOnce(server)) void this.#leases.release(this.#nameOf(server));
  }

  #find(server: ResolvedServer): Promise<Holder> {
    const hostWith = this.#hostWith;
    const leased: Leased = {
      server,
      get host() {
        return hostWith(server);
      },
    };
    return this.#leases.find(this.#nameOf(server), leased);
  }

  #nameOf(server: ResolvedServer): string {
    const known = this.#names.get(server);
    if (known !== undefined) return known;
    const name = hash('sha256', server.connection, 'hex');
    this.#names.set(server, name);
    return name;
  }

  #at(holder: NonNullable<Holder>, server: ResolvedServer): ResolvedServer {
    const leases = this.#leases;
    const path = peerDoor(this.#nameOf(server));
    return {
      ...server,
      site: undefined,
      // The era in which hubs have their servers.
      protocol: 'legacy',
      // What is remembered of a connection is remembered of this one.
      definition: `${server.definition} at another hub`,
      endpoint: {
        // A hub that is gone is noticed at once: its line breaks, and with it every call that is out on it.
        transport: 'ws',
        url: `${holder.url.replace(/^http/, 'ws')}${path}`,
        headers: {
          // Made when it is sent: a proof is good once.
          get [HUB_PROOF_HEADER]() {
            return leases.proofFor(holder, path);
          },
        },
        program: undefined,
        signIn: { oauth: false, provider: undefined, account: undefined },
      },
    };
  }
}

function isStartedOnce({ mode, endpoint }: ResolvedServer): boolean {
  return mode === 'shared' && (endpoint.transport === 'stdio' || endpoint.program !== undefined);
}
