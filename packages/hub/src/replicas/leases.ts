/**
 * What hubs on one PostgreSQL run once among all of them. Whoever needs it first takes the lease, and runs it for as long as
 * it lives; the others go there. A lease whose holder is gone is taken by whoever needs it next.
 */
import { type Host, JunctorError, type ResolvedServer } from '@junctor/core';
import { type Claim, LeaseRows } from '../store/lease-rows.ts';
import type { Store } from '../store/store.ts';
import { inWords } from './in-words.ts';
import type { Notices } from './notices.ts';
import { HUB_PROOF_HEADER, peerDoor } from './peer-door.ts';
import type { Peer, Register } from './register.ts';

/** What is run under a lease: a server, for as long as a host has it. */
export interface Leased {
  /** A host that has the server now. Undefined: no host has it any more. */
  readonly host: Host | undefined;
  readonly server: Pick<ResolvedServer, 'id' | 'connection'>;
}

/** Where it runs; undefined: here. */
export type Holder = Pick<Peer, 'url' | 'life'> | undefined;

export interface LeasesOptions {
  readonly store: Store;
  readonly register: Register;
  readonly notices: Notices;
  readonly onProblem: (sentence: string) => void;
}

/** A hub that does not answer another within this time cannot be used by it. */
const ANSWERS_WITHIN_MS = 2000;

/** How a door for hubs answers a request that wants no WebSocket, and one for what it does not run, or not yet. */
const KNOWN_THERE = new Set([426, 503]);

export class Leases {
  readonly #options: LeasesOptions;
  readonly #rows: LeaseRows;
  readonly #held = new Map<string, Leased>();
  readonly #elsewhere = new Map<string, { readonly holder: NonNullable<Holder>; readonly leased: Leased }>();
  readonly #moved = new Set<(leased: Leased) => void>();
  /** Many sessions ask at once; the database is asked once. */
  readonly #finding = new Map<string, Promise<Holder>>();
  readonly #joined = Promise.withResolvers<void>();
  #closing = false;
  readonly #deaf: (() => void)[];

  constructor(options: LeasesOptions) {
    const { store, register, notices } = options;
    this.#options = options;
    this.#rows = new LeaseRows(store);
    register.whenGone({ free: (change, { life }) => this.#rows.releaseAll(change, life) });
    this.#deaf = [
      notices.on('leases', what => this.#reread(what)),
      register.onReturn(() => this.#reread(undefined).catch(error => options.onProblem(inWords(error)))),
      register.onChange(() => this.#forgetTheGone()),
    ];
  }

  /** The hub is on the register: from now on it may hold something. */
  begin(): void {
    this.#joined.resolve();
  }

  /** What this hub runs under a lease; undefined where it is not the one that does. */
  held(what: string): Leased | undefined {
    const leased = this.#held.get(what);
    if (!leased || leased.host) return leased;
    // Here it is another server by now; a hub that still has it may run it.
    void this.release(what);
    return undefined;
  }

  /** As far as it is known without asking. */
  known(what: string): { readonly holder: Holder } | undefined {
    if (this.#held.has(what)) return { holder: undefined };
    return this.#elsewhere.get(what);
  }

  /** Told when a server no longer runs at the hub where it was found: what leads there leads nowhere. */
  onMoved(listener: (leased: Leased) => void): () => void {
    this.#moved.add(listener);
    return () => this.#moved.delete(listener);
  }

  /** This hub, as it reaches itself in the way others do. */
  get self(): NonNullable<Holder> {
    return this.#options.register.self as Peer;
  }

  /** What this hub shows there with one request for this path. */
  proofFor({ life }: NonNullable<Holder>, path: string): string {
    return this.#options.register.proofFor(life, path);
  }

  /** Where it runs now. Where nobody runs it, it is ours from now on. */
  find(what: string, leased: Leased): Promise<Holder> {
    const finding = this.#finding.get(what) ?? this.#find(what, leased).finally(() => this.#finding.delete(what));
    this.#finding.set(what, finding);
    return finding;
  }

  async #find(what: string, leased: Leased): Promise<Holder> {
    await this.#joined.promise;
    let claim = await this.#claim(what);
    if (claim.kind === 'theirs') {
      const { holder } = claim;
      this.#held.delete(what);
      const silence = await whySilent(holder, what, this.proofFor(holder, peerDoor(what)));
      if (silence !== undefined && holder.connected) throw unreachable(leased.server.id, holder, silence);
      if (silence === undefined) {
        this.#elsewhere.set(what, { holder, leased });
        return holder;
      }
      claim = await this.#claim(what, holder.life);
      // Yet another hub was quicker.
      if (claim.kind === 'theirs') return this.#find(what, leased);
    }
    this.#elsewhere.delete(what);
    this.#held.set(what, leased);
    if (claim.kind === 'taken') await this.#options.notices.tell('leases', what).catch(() => {});
    return undefined;
  }

  /** It is not what it was, or no longer there: whoever still has it may run it. */
  async release(what: string): Promise<void> {
    this.#elsewhere.delete(what);
    if (!this.#held.delete(what)) return;
    const { register, notices } = this.#options;
    await this.#rows.release(what, register.life).catch(() => {});
    await notices.tell('leases', what).catch(() => {});
  }

  /** Ends what is run here before another hub may begin it. */
  async close(): Promise<void> {
    this.#closing = true;
    for (const stop of this.#deaf) stop();
    const held = [...this.#held];
    await Promise.all(held.map(([, leased]) => endLife(leased)));
    for (const [what] of held) await this.release(what);
  }

  async #claim(what: string, gone?: string): Promise<Claim> {
    if (this.#closing) throw new JunctorError('hub_closing', 'The hub is closing.');
    const { store, register } = this.#options;
    const claim = await this.#rows.claim(what, register.life, gone).catch(error => {
      throw new JunctorError('database_failed', 'Which hub runs the server cannot be found out.', {
        why: `the database ${store.place} does not answer`,
        hint: 'see whether the database answers, then try again',
        cause: error,
      });
    });
    if (claim !== 'unregistered') return claim;
    throw new JunctorError('database_failed', 'The other hubs took this one for gone; it is coming back.', {
      why: 'it could not reach the database for a while',
      hint: 'try again in a moment',
    });
  }

  /** Another hub took or released it, or may have: what is no longer ours ends here. */
  async #reread(what: string | undefined): Promise<void> {
    const isConcerned = (one: string): boolean => what === undefined || one === what;
    if (![...this.#held.keys(), ...this.#elsewhere.keys()].some(isConcerned)) return;
    const lives = await this.#rows.lives();
    for (const [one, { holder }] of this.#elsewhere)
      if (isConcerned(one) && lives.get(one) !== holder.life) this.#forget(one);
    for (const [one, leased] of this.#held) {
      if (!isConcerned(one) || lives.get(one) === this.#options.register.life) continue;
      this.#held.delete(one);
      await endLife(leased);
    }
  }

  #forget(what: string): void {
    const known = this.#elsewhere.get(what);
    if (!known || !this.#elsewhere.delete(what)) return;
    for (const listener of this.#moved) listener(known.leased);
  }

  #forgetTheGone(): void {
    const lives = new Set(this.#options.register.peers.map(({ life }) => life));
    for (const [what, { holder }] of this.#elsewhere) if (!lives.has(holder.life)) this.#forget(what);
  }
}

async function endLife({ host, server: { id } }: Leased): Promise<void> {
  if (host?.links.ids.includes(id)) await host.links.close(id).catch(() => {});
}

/** Undefined where the hub is there. The proof is for this life of it, and not for another one at the same address. */
async function whySilent({ url }: Peer, what: string, proof: string): Promise<string | undefined> {
  const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS);
  try {
    const response = await fetch(`${url}${peerDoor(what)}`, {
      headers: { [HUB_PROOF_HEADER]: proof },
      // The proof is for that hub alone.
      redirect: 'manual',
      signal,
    });
    await response.body?.cancel();
    return KNOWN_THERE.has(response.status)
      ? undefined
      : `another program answers there, with status ${response.status}`;
  } catch (error) {
    const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException };
    return cause?.code ?? message;
  }
}

function unreachable(server: string, { url, machine }: Peer, why: string): JunctorError {
  return new JunctorError('connection_failed', `Server '${server}' runs at another hub, which cannot be reached.`, {
    server,
    why: `${url}, the hub on ${machine}: ${why}`,
    hint: `start the hub on ${machine} with --peer-url and an address at which this one reaches it`,
  });
}
