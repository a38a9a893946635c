/**
 * The server's side of SPDY/3.1, as far as kubectl speaks it: streams with headers and data, in one connection that was
 * upgraded from HTTP. Every version of kubectl knows it, the newest where WebSockets are refused.
 */
import { Duplex } from 'node:stream';
import { constants, createDeflate, createInflate, type Deflate, type Inflate } from 'node:zlib';
import { SPDY_DICTIONARY } from './spdy-dictionary.ts';

const SYN_STREAM = 1;
const SYN_REPLY = 2;
const RST_STREAM = 3;
const PING = 6;
const CONTROL = 0x80030000;
const FIN = 1;
const HEADER_BYTES = 8;

type Send = (id: number, data: Buffer, fin: boolean) => void;

export class SpdyStream extends Duplex {
  readonly id: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly #send: Send;

  constructor(id: number, headers: ReadonlyMap<string, string>, send: Send) {
    super({ allowHalfOpen: true });
    this.id = id;
    this.headers = headers;
    this.#send = send;
    // The other side may hang up at any time: whoever reads sees the end.
    this.on('error', () => {});
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#send(this.id, chunk, false);
    done();
  }

  override _final(done: () => void): void {
    this.#send(this.id, Buffer.alloc(0), true);
    done();
  }
}

/** Calls back with each stream that the client opens, and ends all of them with the connection. */
export function serveSpdy(socket: Duplex, head: Buffer, onStream: (stream: SpdyStream) => void): void {
  const streams = new Map<number, SpdyStream>();
  const inflate = createInflate({ dictionary: SPDY_DICTIONARY, finishFlush: constants.Z_SYNC_FLUSH });
  const deflate = createDeflate({ dictionary: SPDY_DICTIONARY });
  const write = (bytes: Buffer): void => void (socket.writable && socket.write(bytes));
  const send = (id: number, data: Buffer, fin: boolean): void => {
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt32BE(id);
    header.writeUInt32BE(((fin ? FIN : 0) * 2 ** 24 + data.length) >>> 0, 4);
    write(Buffer.concat([header, data]));
  };
  const onControl = async (type: number, flags: number, body: Buffer): Promise<void> => {
    if (type === PING) return write(control(PING, body));
    const id = body.length >= 4 ? body.readUInt32BE() & 0x7fffffff : 0;
    if (type === RST_STREAM) return void streams.get(id)?.push(null);
    if (type !== SYN_STREAM) return;
    const stream = new SpdyStream(id, readHeaders(await through(inflate, body.subarray(10))), send);
    streams.set(id, stream);
    const none = await through(deflate, Buffer.alloc(4));
    write(control(SYN_REPLY, Buffer.concat([body.subarray(0, 4), none])));
    if (flags & FIN) stream.push(null);
    onStream(stream);
  };
  let waiting = head;
  let turn = Promise.resolve();
  const read = async (): Promise<void> => {
    while (waiting.length >= HEADER_BYTES) {
      const length = waiting.readUInt32BE(4) & 0xffffff;
      if (waiting.length < HEADER_BYTES + length) return;
      const [word, flags] = [waiting.readUInt32BE(), waiting[4] as number];
      const body = waiting.subarray(HEADER_BYTES, HEADER_BYTES + length);
      waiting = waiting.subarray(HEADER_BYTES + length);
      if (word & 0x80000000) await onControl(word & 0xffff, flags, body);
      else {
        const stream = streams.get(word);
        if (body.length > 0) stream?.push(body);
        if (flags & FIN) stream?.push(null);
      }
    }
  };
  // Headers are unpacked one after the other: what follows waits its turn.
  const take = (chunk: Buffer): void => {
    turn = turn.then(() => {
      waiting = Buffer.concat([waiting, chunk]);
      return read();
    });
  };
  socket.on('data', take);
  take(Buffer.alloc(0));
  socket.on('error', () => {});
  // Whoever hangs up wants nothing more.
  socket.on('end', () => socket.destroy());
  socket.on('close', () => {
    for (const stream of streams.values()) {
      stream.push(null);
      stream.destroy();
    }
    inflate.close();
    deflate.close();
  });
}

function control(type: number, body: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE((CONTROL | type) >>> 0);
  header.writeUInt32BE(body.length, 4);
  return Buffer.concat([header, body]);
}

/** All blocks of a connection are one compressed text, flushed after each. */
function through(codec: Inflate | Deflate, block: Buffer): Promise<Buffer> {
  return new Promise(resolve => {
    codec.write(block);
    codec.flush(constants.Z_SYNC_FLUSH, () => resolve((codec.read() as Buffer | null) ?? Buffer.alloc(0)));
  });
}

function readHeaders(block: Buffer): Map<string, string> {
  const headers = new Map<string, string>();
  let at = 4;
  const text = (): string => {
    const length = block.readUInt32BE(at);
    at += 4 + length;
    return block.toString('utf8', at - length, at);
  };
  for (let left = block.readUInt32BE(); left > 0; left--) headers.set(text(), text());
  return headers;
}
