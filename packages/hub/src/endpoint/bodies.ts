/** What clients send to doors, read into memory: large things may come, but not so many at once that the hub ends. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { RPC_CODE } from '@junctor/core/internal';

/** A request is small: it carries arguments, not results. */
export const MAX_REQUEST_BYTES: number = 128 * 1024 * 1024;

/** So much of each is read whatever else comes: who sends large ones must not keep the small ones out. */
const ALWAYS_BYTES = 1024 * 1024;

/** All that is being read beyond that together. Less than two of the largest would refuse somebody without need. */
const MAX_AT_ONCE_BYTES = 2 * MAX_REQUEST_BYTES;

export interface BodyRefused {
  readonly status: 400 | 413 | 503;
  readonly because: string;
  /** Where JSON-RPC has a code for it. */
  readonly code?: number;
}

/** What one message that is under way takes of the room for all. */
export interface Share {
  /** More of it has come. Says why it cannot be held, where it cannot: it takes its room until it is settled all the same. */
  take(bytes: number): BodyRefused | undefined;
  /** So much of what was taken was no part of a message. */
  giveBack(bytes: number): void;
  /** It is whole, or nobody waits for the rest; the next message may begin. */
  settle(): void;
  /** Whether it takes any of the room for all. */
  readonly isLarge: boolean;
}

export class Bodies {
  readonly #maxAtOnceBytes: number;
  /** Beyond what is always read, of all that are under way. */
  #atOnce = 0;

  constructor(maxAtOnceBytes: number = MAX_AT_ONCE_BYTES) {
    this.#maxAtOnceBytes = maxAtOnceBytes;
  }

  share(): Share {
    let bytes = 0;
    let beyond = 0;
    const weigh = (now: number): void => {
      bytes = now;
      const before = beyond;
      beyond = Math.max(0, bytes - ALWAYS_BYTES);
      this.#atOnce += beyond - before;
    };
    const take = (more: number): BodyRefused | undefined => {
      weigh(bytes + more);
      if (beyond === 0) return undefined;
      if (bytes > MAX_REQUEST_BYTES) return TOO_LARGE;
      return this.#atOnce > this.#maxAtOnceBytes ? TOO_MUCH : undefined;
    };
    return {
      take,
      giveBack: less => weigh(Math.max(0, bytes - less)),
      settle: () => weigh(0),
      get isLarge() {
        return beyond > 0;
      },
    };
  }

  read(request: IncomingMessage): Promise<string | BodyRefused> {
    return new Promise((resolve, reject) => {
      const share = this.share();
      let pieces: Buffer[] = [];
      let refused: BodyRefused | undefined;
      request.on('data', (piece: Buffer) => {
        // What is refused is read to its end, and forgotten: a connection that is cut takes the answer with it.
        if (refused) return;
        refused = share.take(piece.length);
        if (!refused) return void pieces.push(piece);
        pieces = [];
        share.settle();
      });
      request.on('end', () => {
        share.settle();
        resolve(refused ?? textIn(pieces) ?? UNREADABLE);
      });
      request.on('error', error => {
        share.settle();
        reject(error);
      });
    });
  }
}

/** The text of a message; undefined where its bytes are no UTF-8, and would be read as something its sender did not write. */
export function textIn(pieces: readonly Buffer[]): string | undefined {
  const bytes = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

export const NOT_UTF8 = 'The message is not valid UTF-8: JSON-RPC is sent in this encoding, and in no other';
const UNREADABLE: BodyRefused = { status: 400, because: NOT_UTF8, code: RPC_CODE.notJson };
const TOO_LARGE: BodyRefused = { status: 413, because: `A request may have ${MAX_REQUEST_BYTES} bytes at most` };
const TOO_MUCH: BodyRefused = {
  status: 503,
  because: 'Clients send more at the same time than this hub can hold: send it again in a moment',
};
