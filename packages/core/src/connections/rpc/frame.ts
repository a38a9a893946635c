import { Pieces } from './pieces.ts';

/**
 * One JSON-RPC message as bytes, in the pieces the transport delivered it in. Kept in pieces, because joining them is a
 * copy that a relay never needs and a large result cannot afford twice.
 */
export type Frame = readonly Buffer[];

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

export interface FrameListener {
  onFrame(frame: Frame): void;
  /** A frame grew past the limit. What is left of it is dropped; `ends` are its first and last bytes. */
  onOversized(ends: Frame, bytes: number): void;
  /** An empty line: meaningless between messages, the end of an event in an event stream. */
  onBlank?(): void;
}

/** Cuts a byte stream into lines. Looks at each byte once: only new bytes are searched, held ones never again. */
export class LineReader {
  readonly #listener: FrameListener;
  readonly #maxBytes: number;
  /** Of a line that did not come whole. */
  readonly #held: Pieces;

  constructor(listener: FrameListener, maxBytes: number) {
    this.#listener = listener;
    this.#maxBytes = maxBytes;
    this.#held = new Pieces(maxBytes);
  }

  push(chunk: Buffer): void {
    let from = 0;
    while (from < chunk.length) {
      const at = chunk.indexOf(NEWLINE, from);
      if (at < 0) return this.#held.add(from === 0 ? chunk : chunk.subarray(from));
      const end = chunk.subarray(from, at);
      if (this.#held.bytes === 0) this.#emit([end], end.length);
      else this.#emitHeld(end);
      from = at + 1;
    }
  }

  /** What has come of a line that is not over. */
  rest(): Frame {
    return this.#held.frame;
  }

  #emitHeld(end: Buffer): void {
    if (end.length > 0) this.#held.add(end);
    const { bytes } = this.#held;
    this.#emit(this.#held.take(), bytes);
  }

  #emit(line: Buffer[], bytes: number): void {
    const last = line[line.length - 1] as Buffer;
    const endsInReturn = last[last.length - 1] === CARRIAGE_RETURN;
    if (endsInReturn) line[line.length - 1] = last.subarray(0, -1);
    if (bytes === 0 || (endsInReturn && bytes === 1)) this.#listener.onBlank?.();
    else if (bytes > this.#maxBytes) this.#listener.onOversized(line, bytes);
    else this.#listener.onFrame(line);
  }
}

export function frameBytes(frame: Frame): number {
  let bytes = 0;
  for (const piece of frame) bytes += piece.length;
  return bytes;
}

export function frameText(frame: Frame): string {
  return (frame.length === 1 ? (frame[0] as Buffer) : Buffer.concat(frame)).toString();
}

const BYTE_ORDER_MARK = 0xfeff;

/** What stands in a frame; undefined where it is no JSON. Some programs write a mark before all else, which is passed over. */
export function parsedFrame(frame: Frame): unknown {
  const text = frameText(frame);
  try {
    return JSON.parse(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}

/** Above this, copying bytes into a string costs more than a system call with several buffers. */
const SHORT_BYTES = 16 * 1024;

/**
 * The bytes of a short frame as a string of as many characters, to be written as latin1: Node writes one string at half the
 * cost of a list of buffers. Undefined for one that is not short.
 */
export function shortFrame(frame: Frame, bytes: number = frameBytes(frame)): string | undefined {
  if (bytes > SHORT_BYTES) return undefined;
  let text = '';
  for (const piece of frame) text += piece.toString('latin1');
  return text;
}
