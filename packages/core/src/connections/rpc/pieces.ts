/**
 * The pieces of one message as they come. However small they are, few are kept: a buffer costs a hundred times the one byte that
 * a sender of single bytes puts into it. Past the limit only the two ends are kept, which tell whose answer it was.
 */
import type { Frame } from './frame.ts';

/** So many pieces are made one. What was joined is not joined again: else a long message would be copied again and again. */
const JOINED = 4096;

/** An id at either end, with the keys beside it, fits in here. */
const END_BYTES = 256;

export class Pieces {
  readonly #maxBytes: number;
  #held: Buffer[] = [];
  #loose = 0;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get isTooLarge(): boolean {
    return this.#bytes > this.#maxBytes;
  }

  /** What has come so far. */
  get frame(): Frame {
    return this.#held;
  }

  add(piece: Buffer): void {
    this.#bytes += piece.length;
    this.#held.push(piece);
    if (++this.#loose === JOINED) {
      this.#held.push(Buffer.concat(this.#held.splice(-JOINED)));
      this.#loose = 0;
    }
    if (this.#bytes > this.#maxBytes && this.#held.length > 2) {
      this.#held = endsOf(this.#held);
      this.#loose = 0;
    }
  }

  /** Hands out what has come, and begins anew. */
  take(): Buffer[] {
    const held = this.#held;
    this.#held = [];
    this.#loose = 0;
    this.#bytes = 0;
    return held;
  }
}

/** The first and the last bytes. Either end may itself have come in pieces. */
function endsOf(held: readonly Buffer[]): Buffer[] {
  const first = reach(held);
  const last = held.length - reach(held.toReversed());
  if (last < first) return [Buffer.concat(held)];
  const [tail, ...more] = held.slice(last) as [Buffer, ...Buffer[]];
  // Cut, since it would grow with every piece.
  return [joined(held.slice(0, first)), more.length === 0 ? tail : joined([tail, ...more]).subarray(-END_BYTES)];
}

/** How many pieces from the start hold as many bytes as an end has. */
function reach(held: readonly Buffer[]): number {
  let bytes = 0;
  let count = 0;
  for (; count < held.length && bytes < END_BYTES; count++) bytes += (held[count] as Buffer).length;
  return count;
}

function joined(pieces: readonly Buffer[]): Buffer {
  return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
}
