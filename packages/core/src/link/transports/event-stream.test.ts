import { expect, test } from 'vitest';
import { frameText } from '../frame.ts';
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
