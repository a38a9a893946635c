/**
 * Who looks at the traffic of servers now. While nobody does, nothing is noted, and a message costs one look at an empty
 * field; what was said before somebody came is not known to anybody.
 */
import { type Frame, frameBytes, MASK, type Onlooker } from '@junctor/core/internal';
import { namesSecret } from '@junctor/core/light';

/** Something that was seen at one life of a server. */
export interface Seen {
  readonly at: string;
  readonly life: number;
  readonly kind: 'sent' | 'received' | 'printed';
  readonly bytes: number;
  /** Cut where it is long, secrets by their names masked. */
  readonly text: string;
}

export type SeenListener = (seen: Seen) => void;

/** More of a message tells nobody anything. */
const SHOWN_BYTES = 10_000;

export class Onlookers {
  readonly #listeners = new Map<string, Set<SeenListener>>();
  #lives = 0;

  /** The number of a life that begins: no other in this hub has it. */
  newLife(): number {
    this.#lives += 1;
    return this.#lives;
  }

  add(server: string, listener: SeenListener): void {
    const known = this.#listeners.get(server);
    if (known) known.add(listener);
    else this.#listeners.set(server, new Set([listener]));
  }

  remove(server: string, listener: SeenListener): void {
    const known = this.#listeners.get(server);
    known?.delete(listener);
    if (known?.size === 0) this.#listeners.delete(server);
  }

  /** For one life of a server; undefined while nobody looks at it. */
  for(server: string, life: number): Onlooker | undefined {
    const listeners = this.#listeners.get(server);
    if (!listeners) return undefined;
    const tell = (kind: Seen['kind'], bytes: number, text: string): void => {
      const seen = { at: new Date().toISOString(), life, kind, bytes, text };
      for (const listener of listeners) {
        try {
          listener(seen);
        } catch {
          // Whoever only looks on, and has gone meanwhile, must not hold up a message.
        }
      }
    };
    return {
      onSent: text => tell('sent', Buffer.byteLength(text), shown([Buffer.from(text)])),
      onReceived: frame => tell('received', frameBytes(frame), shown(frame)),
      onPrinted: text => tell('printed', Buffer.byteLength(text), text.slice(-SHOWN_BYTES)),
    };
  }
}

/** What a program printed before anybody looked. */
export function printedBefore(life: number, text: string): Seen {
  return { at: new Date().toISOString(), life, kind: 'printed', bytes: Buffer.byteLength(text), text: `${text}\n` };
}

/** As JSON where it is whole, so that what stands under the name of a secret can be masked. */
function shown(frame: Frame): string {
  const bytes = frameBytes(frame);
  const text = Buffer.concat(frame.map(piece => piece.subarray(0, SHOWN_BYTES)))
    .subarray(0, SHOWN_BYTES)
    .toString('utf8');
  if (bytes > SHOWN_BYTES) return `${text.replace(SECRET_PAIR, maskedPair)}… (${bytes} bytes)`;
  try {
    const masked: unknown = JSON.parse(text, (key, value) =>
      typeof value === 'string' && namesSecret(key) ? MASK : value,
    );
    return JSON.stringify(masked);
  } catch {
    return text;
  }
}

/** In a piece of JSON that cannot be read as a whole. */
const SECRET_PAIR = /"([^"\\]{1,100})"\s*:\s*"(?:[^"\\]|\\.)*"?/g;

function maskedPair(whole: string, name: string): string {
  return namesSecret(name) ? `"${name}":"${MASK}"` : whole;
}
