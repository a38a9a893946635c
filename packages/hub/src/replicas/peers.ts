/**
 * What only the other hubs on this database know: the state of their servers, calls that run there, what they have not
 * written yet. All are asked at once and for a bounded time; one that does not answer is named, and holds nobody up longer.
 */
import { askPeer } from './ask-peer.ts';
import type { Peer, Register } from './register.ts';

export interface PeerAnswer<Body> {
  readonly id: string;
  readonly url: string;
  readonly body: Body;
}

export interface SilentPeer {
  readonly id: string;
  readonly url: string;
  readonly why: string;
}

export interface PeerAnswers<Body> {
  readonly answers: readonly PeerAnswer<Body>[];
  readonly silent: readonly SilentPeer[];
}

/** A person waits for it. A hub of the same team that takes longer is in trouble. */
const ANSWER_MS = 2000;

export class Peers {
  readonly #register: Register | undefined;

  constructor(register: Register | undefined) {
    this.#register = register;
  }

  /** The id of this hub, where there may be others. */
  get here(): string | undefined {
    return this.#register?.id;
  }

  /** `path`: of its REST, without the word that it is asked for itself alone. */
  async ask<Body>(path: string): Promise<PeerAnswers<Body>> {
    const register = this.#register;
    if (!register || register.peers.length === 0) return { answers: [], silent: [] };
    const asked = [...register.peers];
    const settled = await Promise.allSettled(
      asked.map(peer => {
        const asked = forItself(path);
        const proof = register.proofFor(peer.life, asked);
        return askPeer(peer, { path: asked, proof, signal: AbortSignal.timeout(ANSWER_MS) });
      }),
    );
    const answers: PeerAnswer<Body>[] = [];
    const silent: SilentPeer[] = [];
    settled.forEach((outcome, index) => {
      const { id, url } = asked[index] as Peer;
      if (outcome.status === 'fulfilled') answers.push({ id, url, body: outcome.value as Body });
      else silent.push({ id, url, why: String(outcome.reason?.message ?? outcome.reason) });
    });
    return { answers, silent };
  }
}

export function forItself(path: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}hub=here`;
}
