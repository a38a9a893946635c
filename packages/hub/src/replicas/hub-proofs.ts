/**
 * How a hub shows another that it is one of those on their database. In each life it has a pair of keys, and the public one
 * lies in the database, beside its address. A proof is from one life to one other, for one request, and good once and for a
 * minute: neither what lies in the database nor what somebody overheard opens a hub.
 */
import { createPublicKey, generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';
import type { HubRow } from '../store/tables.ts';
import { UsedOnce } from './used-once.ts';

const PREFIX = 'jch_';

/** Time for a request on its way, and for clocks that run unevenly between two looks at the database's. */
const PROOF_GOOD_MS = 60_000;

/** So many proofs are remembered in the time that one is good. Hubs of one team stay far below; beyond it none counts. */
const MAX_PROOFS = 100_000;

/** What a hub asks another for. A hub only reads and opens streams, so that no body need be signed. */
export interface ProvenRequest {
  readonly method: string;
  /** Path and query, without the path below which the hub that is asked lies. */
  readonly path: string;
}

export class HubProofs {
  readonly #life: string;
  readonly #now: () => number;
  readonly #pair = generateKeyPairSync('ed25519');
  readonly #used: UsedOnce;

  /** `now`: the time of the database, which all hubs have in common. */
  constructor(life: string, now: () => number) {
    this.#life = life;
    this.#now = now;
    this.#used = new UsedOnce({ keepMs: 2 * PROOF_GOOD_MS, max: MAX_PROOFS, now });
  }

  /** For the database. */
  get publicKey(): string {
    return this.#pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64url');
  }

  /** What this life shows that one with a GET of this path. Each is another one. */
  for(life: string, path: string): string {
    const said = {
      from: this.#life,
      to: life,
      time: String(this.#now()),
      nonce: randomBytes(16).toString('base64url'),
    };
    const { pathname, search } = new URL(path, 'http://hub');
    const signed = claim({ ...said, method: 'GET', path: `${pathname}${search}` });
    const signature = sign(null, signed, this.#pair.privateKey).toString('base64url');
    return `${PREFIX}${[said.from, said.time, said.nonce, signature].join('.')}`;
  }

  /** The life of the hub, one of these, that shows it to this life with this request for the first time. */
  shownBy(
    hubs: readonly Pick<HubRow, 'life' | 'key'>[],
    proof: string,
    { method, path }: ProvenRequest,
  ): string | undefined {
    const [from = '', time = '', nonce = '', signature = ''] = proof.slice(PREFIX.length).split('.');
    const hub = hubs.find(one => one.life === from);
    // Written so that what is not a number is not good either.
    if (!hub || method !== 'GET' || !(Math.abs(this.#now() - Number(time)) <= PROOF_GOOD_MS)) return undefined;
    try {
      const key = createPublicKey({ key: Buffer.from(hub.key, 'base64url'), type: 'spki', format: 'der' });
      const signed = claim({ from, to: this.#life, time, nonce, method, path });
      if (!verify(null, signed, key, Buffer.from(signature, 'base64url'))) return undefined;
    } catch {
      // Something else stands where its key should be.
      return undefined;
    }
    return this.#used.first(`${from} ${nonce}`) ? from : undefined;
  }
}

/** Whether it can be one: all else is a token. */
export function isHubProof(text: string): boolean {
  return text.startsWith(PREFIX);
}

interface Claim extends ProvenRequest {
  readonly from: string;
  readonly to: string;
  readonly time: string;
  readonly nonce: string;
}

function claim({ from, to, time, nonce, method, path }: Claim): Buffer {
  return Buffer.from(`junctor hub ${from} asks ${to} at ${time} with ${nonce}: ${method} ${path}`);
}
