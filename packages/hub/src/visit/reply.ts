/** The answer to one request, and what is said before it. How it leaves depends on the way the request came. */
import {
  type AnswerId,
  type AnswerMessage,
  type Frame,
  frameBytes,
  isObject,
  outcomeIn,
  parsedFrame,
  plainAnswer,
  plainOutcome,
  RPC_CODE,
  type RpcError,
  readRpcError,
  withId,
} from '@junctor/core/internal';
import type { AnswerSeen } from '../calls/answer-seen.ts';
import { stamped, stampedResult } from './stamp.ts';

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
    // The bytes are passed on once it is certain that they are one answer with one id: writing it anew would round numbers.
    const outcome = plainOutcome(frame);
    if (outcome === undefined) return this.#spliceOdd(frame, stamp);
    if (outcome === 'error') return this.#spliceError(frame, at);
    const pieces = withId(frame, at, this.id);
    const written = stamp === undefined ? pieces : stamped(pieces, stamp);
    if (written) this.#answer(written);
    else this.#spliceOdd(frame, stamp);
  }

  /** What a server wrote beside its result goes no further. */
  #spliceOdd(frame: Frame, stamp: string | undefined): void {
    const answer = readAnswer(frame);
    const plain = plainAnswer(frame, answer as AnswerMessage);
    if (!plain) return this.error(RPC_CODE.internal, 'The server answered something that is not JSON-RPC');
    if (outcomeIn(answer) === 'error') return this.#spliceError(plain.frame, plain.at);
    const [, result] = plain.frame as [Buffer, Buffer];
    if (stamp === undefined) return this.result(result);
    if (isObject(answer.result)) return this.result(stampedResult(result, stamp));
    this.error(RPC_CODE.internal, 'The server answered without a result');
  }

  /** Its code is told outside of it too: to the books, and as the status of HTTP. */
  #spliceError(frame: Frame, at: AnswerId): void {
    const { error } = readAnswer(frame);
    if (isRpcError(error)) return this.#answer(withId(frame, at, this.id), error.code);
    const { code, message, data } = readRpcError(error);
    this.error(code, message, data);
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

  /** The end of what `keepOpen` began: nobody is waited for any more. The request goes on once this has resolved. */
  released(): void | Promise<void> {}

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

  #answer(pieces: readonly Buffer[], code?: number): void {
    if (this.#done) return;
    this.#over();
    const bytes = frameBytes(pieces);
    // The client comes first: it waits, the audit does not.
    this.write(pieces, bytes, code);
    this.noted?.({ pieces, bytes, code });
  }

  #over(): void {
    this.#done = true;
    this.#onOver?.();
  }
}

const CLOSING_BRACE = Buffer.from('}');

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

export interface ReadAnswer {
  readonly result?: unknown;
  readonly error?: unknown;
}

/** An answer as a value, where it is only looked at. Empty where it is none. */
export function readAnswer(frame: Frame): ReadAnswer {
  const answer = parsedFrame(frame);
  return isObject(answer) ? answer : {};
}

function isRpcError(error: unknown): error is RpcError {
  return isObject(error) && Number.isInteger(error.code) && typeof error.message === 'string';
}
