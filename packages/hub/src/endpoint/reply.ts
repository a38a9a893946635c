/**
 * The one response to one POST. It is a JSON document when the answer is all there is to say; the first notification that
 * comes before the answer turns it into an event stream.
 */
import type { ServerResponse } from 'node:http';
import { type AnswerId, type Frame, frameBytes, frameText, isPlainAnswer, withId } from '@junctor/core/inside';

/** Above this, joining the pieces into one buffer costs more than writing them one by one. */
const JOIN_BELOW_BYTES = 64 * 1024;

export class Reply {
  /** The caller's request id, as JSON. */
  readonly id: string;
  readonly #response: ServerResponse;
  #streaming = false;
  #done = false;

  constructor(response: ServerResponse, id: string) {
    this.#response = response;
    this.id = id;
  }

  result(json: string | Buffer): void {
    const head = Buffer.from(`{"jsonrpc":"2.0","id":${this.id},"result":`);
    this.#answer([head, typeof json === 'string' ? Buffer.from(json) : json, CLOSING_BRACE]);
  }

  error(code: number, message: string, data?: object): void {
    const error = JSON.stringify(data ? { code, message, data } : { code, message });
    this.#answer([Buffer.from(`{"jsonrpc":"2.0","id":${this.id},"error":${error}}`)]);
  }

  /** A server's answer as it came, under the caller's id. */
  splice(frame: Frame, at: AnswerId): void {
    // Passed on as it is, once it is certain that it is one answer with one id: reading and writing it anew would round
    // large numbers. What a server wrote beside its result goes no further.
    if (isPlainAnswer(frame)) return this.#answer(withId(frame, at, this.id));
    const { result, error } = readAnswer(frame);
    if (error !== undefined)
      this.#answer([Buffer.from(`{"jsonrpc":"2.0","id":${this.id},"error":${JSON.stringify(error)}}`)]);
    else if (result !== undefined) this.result(JSON.stringify(result));
    else this.error(-32603, 'The server answered something that is not JSON-RPC');
  }

  notify(method: string, params: object): void {
    if (this.#done) return;
    if (!this.#streaming) {
      this.#streaming = true;
      this.#response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    }
    // Progress is worth nothing to a client that does not read: it must not pile up for one.
    if (this.#response.writableNeedDrain) return;
    this.#response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', method, params })}\n\n`);
  }

  /** Ends without an answer: what a cancelled request gets. */
  abandon(): void {
    if (this.#done) return;
    this.#done = true;
    if (!this.#streaming)
      this.#response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    this.#response.end();
  }

  #answer(pieces: readonly Buffer[]): void {
    if (this.#done) return;
    this.#done = true;
    const bytes = frameBytes(pieces);
    if (this.#streaming) {
      this.#write([EVENT, ...asOneLine(pieces), EVENT_END]);
      return;
    }
    this.#response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes });
    if (bytes < JOIN_BELOW_BYTES) this.#response.end(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces, bytes));
    else this.#write(pieces);
  }

  #write(pieces: readonly Buffer[]): void {
    for (const piece of pieces) this.#response.write(piece);
    this.#response.end();
  }
}

const CLOSING_BRACE = Buffer.from('}');
const EVENT = Buffer.from('event: message\ndata: ');
const EVENT_END = Buffer.from('\n\n');

/** A line end between JSON tokens is harmless in a document, but ends a line of an event stream. */
function asOneLine(pieces: readonly Buffer[]): readonly Buffer[] {
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

function readAnswer(frame: Frame): { readonly result?: unknown; readonly error?: unknown } {
  try {
    return JSON.parse(frameText(frame)) as object;
  } catch {
    return {};
  }
}
