/** The answer to one request, and what is said before it. How it leaves depends on the way the request came. */
import {
  type AnswerId,
  type Frame,
  frameBytes,
  frameText,
  isPlainAnswer,
  RPC_CODE,
  withId,
} from '@junctor/core/inside';
import type { AnswerSeen } from '../calls/answer-seen.ts';
import { stamped } from './stamp.ts';

export abstract class Reply {
  /** The caller's request id, as JSON. */
  readonly id: string;
  /** Told how it ends, for whoever writes it down: with what was answered, or with nothing where it is given up. */
  noted: ((answer: AnswerSeen | undefined) => void) | undefined;
  readonly #onOver: (() => void) | undefined;
  #done = false;

  constructor(id: string, onOver?: () => void) {
    this.id = id;
    this.#onOver = onOver;
  }

  /** Whether it was answered, or given up. */
  get done(): boolean {
    return this.#done;
  }

  result(json: string | Buffer): void {
    const head = Buffer.from(`{"jsonrpc":"2.0","id":${this.id},"result":`);
    this.#answer([head, typeof json === 'string' ? Buffer.from(json) : json, CLOSING_BRACE]);
  }

  error(code: number, message: string, data?: unknown): void {
    const error = JSON.stringify(data === undefined ? { code, message } : { code, message, data });
    this.#answer([Buffer.from(`{"jsonrpc":"2.0","id":${this.id},"error":${error}}`)], code);
  }

  /** A server's answer as it came, under the caller's id. `stamp`: what a client of the newer era needs beside it. */
  splice(frame: Frame, at: AnswerId, stamp?: string): void {
    // Passed on as it is, once it is certain that it is one answer with one id: reading and writing it anew would round
    // large numbers. What a server wrote beside its result goes no further.
    const mustRead = (stamp !== undefined || this.readsErrors()) && isShortError(frame);
    if (!mustRead && isPlainAnswer(frame)) {
      const pieces = withId(frame, at, this.id);
      const written = stamp === undefined ? pieces : stamped(pieces, stamp);
      if (written) return this.#answer(written);
    }
    const { result, error } = readAnswer(frame);
    if (error !== undefined) {
      const { code, message, data } = error;
      this.error(typeof code === 'number' ? code : RPC_CODE.internal, String(message), data);
    } else if (result === undefined)
      this.error(RPC_CODE.internal, 'The server answered something that is not JSON-RPC');
    else if (stamp === undefined) this.result(JSON.stringify(result));
    else this.result(JSON.stringify({ ...JSON.parse(`{${stamp}}`), ...(result as object) }));
  }

  /** A message that has to arrive. */
  abstract say(message: object): void;

  /** News worth nothing to a client that does not read: they must not pile up for one. */
  abstract notify(method: string, params: object): void;

  /** What its client has not taken yet of what was said, in bytes. */
  abstract readonly unread: number;

  /**
   * The answer takes long: whatever would give up on a silent connection is to be kept from it. `onLeft` is told where the
   * client lost its stream, to which it may come back.
   */
  keepOpen(_onLeft: () => void): void {}

  /** Whether anybody reads it now, as far as can be told. */
  get attended(): boolean {
    return true;
  }

  /** Ends without an answer: what a cancelled request gets. */
  abandon(): void {
    if (this.#done) return;
    this.#over();
    this.noted?.(undefined);
    this.abandoned();
  }

  protected abstract abandoned(): void;

  /** `code` is that of a JSON-RPC error. */
  protected abstract write(pieces: readonly Buffer[], bytes: number, code: number | undefined): void;

  /** Whether the code of an error is told outside of it too, so that errors have to be read. */
  protected readsErrors(): boolean {
    return false;
  }

  #answer(pieces: readonly Buffer[], code?: number): void {
    if (this.#done) return;
    this.#over();
    const bytes = frameBytes(pieces);
    this.noted?.({ pieces, bytes, code });
    this.write(pieces, bytes, code);
  }

  #over(): void {
    this.#done = true;
    this.#onOver?.();
  }
}

const CLOSING_BRACE = Buffer.from('}');
const SHORT_BYTES = 8192;

function isShortError(frame: Frame): boolean {
  return frameBytes(frame) < SHORT_BYTES && frame.some(piece => piece.includes('"error"'));
}

/** A line end between JSON tokens is harmless in a document, but ends a line of an event stream. */
export function asOneLine(pieces: readonly Buffer[]): readonly Buffer[] {
  if (!pieces.some(piece => piece.includes(0x0d) || piece.includes(0x0a))) return pieces;
  return [
    Buffer.from(
      Buffer.concat(pieces)
        .toString('latin1')
        .replaceAll(/[\r\n]/g, ' '),
      'latin1',
    ),
  ];
}

interface ReadAnswer {
  readonly result?: unknown;
  readonly error?: { readonly code?: unknown; readonly message?: unknown; readonly data?: unknown };
}

export function readAnswer(frame: Frame): ReadAnswer {
  try {
    return (JSON.parse(frameText(frame)) ?? {}) as ReadAnswer;
  } catch {
    return {};
  }
}
