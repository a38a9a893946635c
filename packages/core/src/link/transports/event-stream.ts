/** Server-sent events as frames: the `data:` lines of one event are one message; an empty line ends it. */
import { type Frame, type FrameListener, LineReader } from '../frame.ts';

const DATA = Buffer.from('data:');
const NEWLINE = Buffer.from('\n');

export class EventStreamReader implements FrameListener {
  readonly #lines: LineReader;
  readonly #listener: FrameListener;
  #data: Buffer[] = [];

  constructor(listener: FrameListener, maxBytes: number) {
    this.#listener = listener;
    this.#lines = new LineReader(this, maxBytes);
  }

  push(chunk: Buffer): void {
    this.#lines.push(chunk);
  }

  /** The stream is over: a server may leave out the last empty line. */
  end(): void {
    this.#lines.push(NEWLINE);
    this.onBlank();
  }

  onFrame(line: Frame): void {
    const value = dataOf(line);
    if (!value) return; // event, id, retry or a comment
    if (this.#data.length > 0) this.#data.push(NEWLINE);
    this.#data.push(...value);
  }

  onOversized(ends: Frame, bytes: number): void {
    this.#listener.onOversized(dataOf(ends) ?? ends, bytes);
  }

  onBlank(): void {
    if (this.#data.length === 0) return;
    const frame = this.#data;
    this.#data = [];
    this.#listener.onFrame(frame);
  }
}

function dataOf(line: Frame): Buffer[] | undefined {
  const short = (line[0] as Buffer).length <= DATA.length && line.length > 1;
  const [head, ...rest] = (short ? [Buffer.concat(line)] : line) as [Buffer, ...Buffer[]];
  if (head.compare(DATA, 0, DATA.length, 0, Math.min(DATA.length, head.length)) !== 0) return undefined;
  return [head.subarray(head[DATA.length] === 0x20 ? DATA.length + 1 : DATA.length), ...rest];
}
