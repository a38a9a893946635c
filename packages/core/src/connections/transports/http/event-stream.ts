/** Server-sent events as frames: the `data:` lines of one event are one message; an empty line ends it. */
import { type Frame, type FrameListener, frameText, LineReader } from '../../rpc/frame.ts';
import { Pieces } from '../../rpc/pieces.ts';

const DATA = 'data:';
const NEWLINE = Buffer.from('\n');
const LF = 0x0a;
const CR = 0x0d;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

export interface EventListener extends FrameListener {
  /** An event that is no message, such as `endpoint`. */
  onEvent?(name: string, data: string): void;
  /** Where a broken stream is to be taken up again, as the value of a header. */
  onId?(id: string): void;
  /** How long to wait before that, as far as a server may decide it. */
  onRetry?(ms: number): void;
}

export class EventStreamReader implements FrameListener {
  readonly #lines: LineReader;
  readonly #listener: EventListener;
  /** Of an event of many lines, which is bounded like one of a single line. */
  readonly #data: Pieces;
  #event = '';
  #begun = false;
  /** The last chunk ended in CR: an LF at the start of the next is part of the same line end. */
  #endedInReturn = false;

  constructor(listener: EventListener, maxBytes: number) {
    this.#listener = listener;
    this.#data = new Pieces(maxBytes);
    this.#lines = new LineReader(this, maxBytes);
  }

  push(chunk: Buffer): void {
    const begins = !this.#begun && BYTE_ORDER_MARK.equals(chunk.subarray(0, BYTE_ORDER_MARK.length));
    this.#begun = true;
    this.#pushLines(begins ? chunk.subarray(BYTE_ORDER_MARK.length) : chunk);
  }

  /** A line ends in LF, in CR LF, or in CR alone. */
  #pushLines(chunk: Buffer): void {
    if (chunk.length === 0) return;
    const rest = this.#endedInReturn && chunk[0] === LF ? chunk.subarray(1) : chunk;
    this.#endedInReturn = chunk[chunk.length - 1] === CR;
    let lines = rest;
    for (let at = rest.indexOf(CR); at >= 0; at = rest.indexOf(CR, at + 1)) {
      // A CR at the end of a chunk ends its line now: what follows it may come much later.
      if (rest[at + 1] === LF) continue;
      if (lines === rest) lines = Buffer.from(rest);
      lines[at] = LF;
    }
    this.#lines.push(lines);
  }

  /** The stream is over: a server may leave out the last empty line. */
  end(): void {
    this.#lines.push(NEWLINE);
    this.onBlank();
  }

  onFrame(line: Frame): void {
    const value = fieldOf(line, DATA);
    if (value) {
      if (this.#data.bytes > 0) this.#data.add(NEWLINE);
      for (const piece of value) if (piece.length > 0) this.#data.add(piece);
      return;
    }
    this.#field(frameText(line));
  }

  /** Any line but data is short, and rare. */
  #field(line: string): void {
    const [, name, value = ''] = /^(event|id|retry): ?(.*)$/s.exec(line) ?? [];
    if (name === 'event') this.#event = value;
    else if (name === 'id') this.#id(value);
    else if (name === 'retry' && /^\d+$/.test(value)) this.#listener.onRetry?.(borne(Number(value)));
  }

  /** It goes back in a header, byte for byte: one that no header can carry is as good as none. */
  #id(value: string): void {
    const bytes = Buffer.from(value, 'utf8').toString('latin1');
    if (bytes.length <= LONGEST_ID && !UNSENDABLE.test(bytes)) this.#listener.onId?.(bytes);
  }

  onOversized(ends: Frame, bytes: number): void {
    this.#listener.onOversized(fieldOf(ends, DATA) ?? ends, bytes);
  }

  onBlank(): void {
    const { bytes, isTooLarge } = this.#data;
    const [frame, event] = [this.#data.take(), this.#event];
    this.#event = '';
    // An event without data only carries an id, to resume from.
    if (bytes === 0) return;
    if (isTooLarge) this.#listener.onOversized(frame, bytes);
    else if (event === '' || event === 'message') this.#listener.onFrame(frame);
    else this.#listener.onEvent?.(event, frameText(frame));
  }
}

const LONGEST_ID = 4096;
const UNSENDABLE = /[\0-\x08\x0a-\x1f\x7f]/;

/** A server that wants to be asked again at once, always, would keep us busy with nothing else. */
const SHORTEST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 30_000;

function borne(retryMs: number): number {
  return Math.min(Math.max(retryMs, SHORTEST_RETRY_MS), LONGEST_RETRY_MS);
}

/** The value of a field, without the one space that may follow its colon. */
function fieldOf(line: Frame, field: string): Buffer[] | undefined {
  const short = (line[0] as Buffer).length <= field.length && line.length > 1;
  const [head, ...rest] = (short ? [Buffer.concat(line)] : line) as [Buffer, ...Buffer[]];
  if (head.toString('latin1', 0, field.length) !== field) return undefined;
  return [head.subarray(head[field.length] === 0x20 ? field.length + 1 : field.length), ...rest];
}
