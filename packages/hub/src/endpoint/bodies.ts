/** What clients send to doors, read into memory: large things may come, but not so many at once that the hub ends. */
import type { IncomingMessage } from 'node:http';

/** A request is small: it carries arguments, not results. */
export const MAX_REQUEST_BYTES: number = 128 * 1024 * 1024;

/** So much of each is read whatever else comes: who sends large ones must not keep the small ones out. */
const ALWAYS_BYTES = 1024 * 1024;

/** All that is being read beyond that together. Less than two of the largest would refuse somebody without need. */
const MAX_AT_ONCE_BYTES = 2 * MAX_REQUEST_BYTES;

export interface BodyRefused {
  readonly status: 413 | 503;
  readonly because: string;
}

export class Bodies {
  readonly #maxAtOnceBytes: number;
  /** Beyond what is always read, of all that are under way. */
  #atOnce = 0;

  constructor(maxAtOnceBytes: number = MAX_AT_ONCE_BYTES) {
    this.#maxAtOnceBytes = maxAtOnceBytes;
  }

  read(request: IncomingMessage): Promise<string | BodyRefused> {
    return new Promise((resolve, reject) => {
      let pieces: Buffer[] = [];
      let bytes = 0;
      let beyond = 0;
      let refused: BodyRefused | undefined;
      const settle = (): void => {
        this.#atOnce -= beyond;
        beyond = 0;
      };
      request.on('data', (piece: Buffer) => {
        bytes += piece.length;
        // What is refused is read to its end, and forgotten: a connection that is cut takes the answer with it.
        if (refused) return;
        if (bytes > ALWAYS_BYTES) {
          beyond += piece.length;
          this.#atOnce += piece.length;
        }
        if (bytes > MAX_REQUEST_BYTES) refused = TOO_LARGE;
        else if (beyond > 0 && this.#atOnce > this.#maxAtOnceBytes) refused = TOO_MUCH;
        else pieces.push(piece);
        if (!refused) return;
        pieces = [];
        settle();
      });
      request.on('end', () => {
        settle();
        resolve(refused ?? (pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)).toString('utf8'));
      });
      request.on('error', error => {
        settle();
        reject(error);
      });
    });
  }
}

const TOO_LARGE: BodyRefused = { status: 413, because: `A request may have ${MAX_REQUEST_BYTES} bytes at most` };
const TOO_MUCH: BodyRefused = {
  status: 503,
  because: 'Clients send more at the same time than this hub can hold: send it again in a moment',
};
