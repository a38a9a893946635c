/** What a server sends is cut, scanned and read in time that grows like it, in whatever pieces it comes. */
import { fasterThanText, type GrowthRow, times } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';
import { findAnswerId } from './rpc/answer-id.ts';
import { plainOutcome } from './rpc/answer-shape.ts';
import { type FrameListener, LineReader, parsedFrame } from './rpc/frame.ts';
import { EventStreamReader } from './transports/http/event-stream.ts';

const deaf: FrameListener = { onFrame() {}, onOversized() {} };
const MAX = 1024 * 1024;

/** Pushed whole, and in pieces of few bytes. */
function pushed(reader: { push(chunk: Buffer): void }, text: string, size: number): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
}

const inPieces =
  (open: () => { push(chunk: Buffer): void }) =>
  (text: string): void => {
    for (const size of [Number.POSITIVE_INFINITY, 7]) pushed(open(), text, size === 7 ? 7 : text.length * 4 + 1);
  };

const frame = (text: string): Buffer[] => [Buffer.from(text)];
const split = (text: string): Buffer[] => [...(text.match(/.{1,5}/gs) ?? [])].map(piece => Buffer.from(piece));
const safely = (run: () => unknown) => () => {
  try {
    return run();
  } catch {
    return undefined;
  }
};

const rows: Readonly<Record<string, GrowthRow>> = {
  LineReader: [
    inPieces(() => new LineReader(deaf, MAX)),
    n => times('\n', n),
    n => times('\r\n', n),
    n => times('a', n),
    n => times('a\n', n),
  ],
  'LineReader above its limit': [inPieces(() => new LineReader(deaf, 100)), n => times('a', n), n => times('\n', n)],
  EventStreamReader: [
    inPieces(() => new EventStreamReader(deaf, MAX)),
    n => times('data: a\n', n),
    n => times('data:\n', n),
    n => times('\r', n),
    n => times(': ping\n\n', n),
    n => times('event: message\n', n),
    n => times('id: 1\n', n),
    n => `data: ${times('a', n)}`,
    n => times('data: {}\n\n', n),
  ],
  findAnswerId: [
    text => [findAnswerId(frame(text)), findAnswerId(split(text))],
    n => `{"a":"${times('\\"', n)}","id":1}`,
    n => `{"jsonrpc":"2.0","result":{${times('"id":1,', n)}"x":1},"id":1}`,
    n => times('{"id":', n),
    n => times('"id"', n),
    n => `{"result":"${times('a', n)}"`,
  ],
  plainOutcome: [
    text => [plainOutcome(frame(text)), plainOutcome(split(text))],
    n => `{"jsonrpc":"2.0","id":1,"result":{"a":"${times('\\"', n)}"}}`,
    n => `{"jsonrpc":"2.0","id":1,"result":{${times('"error":{},', n)}"x":1}}`,
    n => times('{"result":', n),
    n => times('}', n),
  ],
  parsedFrame: [
    text => safely(() => parsedFrame(split(text)))(),
    n => `"${times('é', n)}"`,
    n => times('[', n),
    n => `[${times('1,', n)}1]`,
  ],
};

describe('the work on what a server sends grows like it', () => {
  test.each(Object.entries(rows))('%s', (_name, row) => expect(fasterThanText(row)).toEqual([]));

  test('of a line above the limit no more than its ends is held', () => {
    let seen: readonly Buffer[] = [];
    const reader = new LineReader({ onFrame() {}, onOversized: ends => (seen = ends) }, 1000);
    for (let piece = 0; piece < 1000; piece++) {
      reader.push(Buffer.alloc(1000, 'a'));
      expect(reader.rest().reduce((sum, { length }) => sum + length, 0)).toBeLessThan(20_000);
    }
    reader.push(Buffer.from('\n'));
    expect(seen.length).toBeGreaterThan(0);
  });
});
