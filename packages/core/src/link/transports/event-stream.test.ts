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
