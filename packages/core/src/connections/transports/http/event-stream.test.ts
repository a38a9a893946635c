import { expect, test } from 'vitest';
import { frameText } from '../../rpc/frame.ts';
import { EventStreamReader } from './event-stream.ts';

function read(...chunks: string[]): string[] {
  const seen: string[] = [];
  const reader = new EventStreamReader(
    { onFrame: frame => seen.push(frameText(frame)), onOversized: (_ends, bytes) => seen.push(`too large: ${bytes}`) },
    100,
  );
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  reader.end();
  return seen;
}

test.each([
  ['one event', ['event: message\ndata: {"a":1}\n\n'], ['{"a":1}']],
  ['no space after the colon', ['data:{"a":1}\n\n'], ['{"a":1}']],
  ['several lines of data are one message', ['data: {"a":\ndata: 1}\n\n'], ['{"a":\n1}']],
  ['comments, ids and retries are no data', [': hello\nid: 7\nretry: 10\n\ndata: x\n\n'], ['x']],
  ['a field cut between chunks', ['da', 'ta: ', 'x\r\n\r\n'], ['x']],
  ['lines that end in CR alone', ['event: message\rdata: x\r\rdata: y\r\r'], ['x', 'y']],
  ['a CR at the end of a chunk', ['data: x\r', '\ndata: y\r', '\n\r', '\ndata: z\r', '\r'], ['x\ny', 'z']],
  ['an empty chunk between CR and LF', ['data: x\r', '', '\n\r\n', 'data: y\n\r'], ['x', 'y']],
  ['a mark of the byte order at the beginning', ['\ufeffdata: x\n\n', 'data: y\n\n'], ['x', 'y']],
  ['a stream that ends without an empty line', ['data: x'], ['x']],
  ['an event over the limit is dropped alone', [`data: ${'x'.repeat(200)}\n\ndata: y\n\n`], ['too large: 206', 'y']],
])('%s', (_name, chunks, expected) => {
  expect(read(...chunks)).toEqual(expected);
});

test('a line of many single bytes, and an event of many lines, are bounded like any other', () => {
  const bytes = `data: ${'x'.repeat(50_000)}\n\n`;
  expect(read(...bytes)).toEqual(['too large: 50006']);
  expect(read(...Array.from({ length: 100 }, () => `data: ${'y'.repeat(50)}\n`), '\ndata: z\n\n')).toEqual([
    'too large: 5099',
    'z',
  ]);
});

test.each([
  ['plain', '7', '7'],
  ['in another script, as its bytes', '☃', '\u00e2\u0098\u0083'],
  ['empty', '', ''],
  ['with a control character', 'a\u0001b', undefined],
  ['up to a lone return, which ends the line', 'a\rb', 'a'],
  ['longer than any header', 'x'.repeat(5000), undefined],
])('an id is told as the header it goes back in: %s', (_name, id, expected) => {
  const ids: string[] = [];
  const reader = new EventStreamReader({ onFrame() {}, onOversized() {}, onId: one => ids.push(one) }, 10_000);
  reader.push(Buffer.from(`id: ${id}\ndata: x\n\n`));
  expect(ids).toEqual(expected === undefined ? [] : [expected]);
});

test.each([
  ['0', 100],
  ['250', 250],
  ['99999999', 30_000],
])('a server that wants to be asked again after %s ms is asked after %d', (wanted, expected) => {
  const waits: number[] = [];
  const reader = new EventStreamReader({ onFrame() {}, onOversized() {}, onRetry: ms => waits.push(ms) }, 100);
  reader.push(Buffer.from(`retry: ${wanted}\n\n`));
  expect(waits).toEqual([expected]);
});
