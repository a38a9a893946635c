/**
 * How a hub shows another that it is one of those on their database. In each life it has a pair of keys, and the public one
 * lies in the database, beside its address. A proof is from one life to one other: neither what lies in the database nor what
 * a hub was shown opens any other hub.
 */
import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import type { HubRow } from '../store/tables.ts';

const PREFIX = 'jch_';

/** So many are kept at hand; one is made in a moment. */
const MAX_MADE = 100;

export class HubProofs {
  readonly #life: string;
  readonly #pair = generateKeyPairSync('ed25519');
  readonly #made = new Map<string, string>();

  constructor(life: string) {
    this.#life = life;
  }

  /** For the database. */
  get publicKey(): string {
    return this.#pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64url');
  }

  /** What this life shows that one. */
  for(life: string): string {
    const known = this.#made.get(life);
    if (known !== undefined) return known;
    const proof = `${PREFIX}${this.#life}.${sign(null, claim(this.#life, life), this.#pair.privateKey).toString('base64url')}`;
    if (this.#made.size >= MAX_MADE) this.#made.clear();
    this.#made.set(life, proof);
    return proof;
  }

  /** Whether one of these hubs shows it to this life. */
  isFrom(hubs: readonly Pick<HubRow, 'life' | 'key'>[], proof: string): boolean {
    const [life, signature = ''] = proof.slice(PREFIX.length).split('.');
    const hub = hubs.find(one => one.life === life);
    if (!hub) return false;
    try {
      const key = createPublicKey({ key: Buffer.from(hub.key, 'base64url'), type: 'spki', format: 'der' });
      return verify(null, claim(hub.life, this.#life), key, Buffer.from(signature, 'base64url'));
    } catch {
      // Something else stands where its key should be.
      return false;
    }
  }
}

/** Whether it can be one: all else is a token. */
export function isHubProof(text: string): boolean {
  return text.startsWith(PREFIX);
}

function claim(from: string, to: string): Buffer {
  return Buffer.from(`junctor hub ${from} asks ${to}`);
}
