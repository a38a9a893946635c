import { expect, test } from 'vitest';
import { Conversation } from './conversation.ts';
import { envelopeOf } from './envelope.ts';

const line = (message: object): Buffer[] => [Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }))];

test.each([
  [{ id: 1, result: {} }, { id: '1' }],
  [{ id: 'a"b', result: {} }, { id: '"a\\"b"' }],
  [{ id: 7, error: { code: -1, message: 'no' } }, { id: '7' }],
  [{ method: 'notifications/initialized' }, { method: 'notifications/initialized' }],
  [
    { id: 2, method: 'ping' },
    { id: '2', method: 'ping' },
  ],
])('what a line is about: %j', (message, expected) => {
  expect(envelopeOf(line(message))).toEqual(expected);
});

test.each([
  [
    { id: 3, method: 'tools/call', params: { text: 'x'.repeat(100_000) } },
    { id: '3', method: 'tools/call' },
  ],
  [{ id: 'long', result: { text: 'x'.repeat(100_000) } }, { id: '"long"' }],
  [
    { method: 'tools/call', id: 4, params: { text: 'x'.repeat(100_000) } },
    { id: '4', method: 'tools/call' },
  ],
])('a long line is known by its beginning', (message, expected) => {
  expect(envelopeOf(line(message))).toEqual(expected);
});

test('a line that is no JSON is about nothing', () => {
  expect(envelopeOf([Buffer.from('oops')])).toEqual({});
});

test('a new hub is told what the old one knew, and its answers to that are not passed on', () => {
  const talk = new Conversation();
  const [greeting, follow, level] = [
    line({ id: 0, method: 'initialize', params: {} }),
    line({ id: 1, method: 'resources/subscribe', params: { uri: 'a:1' } }),
    line({ id: 2, method: 'logging/setLevel', params: { level: 'info' } }),
  ] as const;
  for (const frame of [greeting, follow, level]) talk.asked(frame);
  talk.asked(line({ id: 3, method: 'resources/subscribe', params: { uri: 'b:1' } }));
  talk.asked(line({ id: 4, method: 'resources/unsubscribe', params: { uri: 'b:1' } }));
  for (const id of [0, 1, 2, 3, 4]) expect(talk.answered(line({ id, result: {} }))).toBe(true);
  talk.asked(line({ id: 'running', method: 'tools/call', params: {} }));
  expect(talk.lost()).toEqual(['"running"']);
  expect(talk.again()).toEqual([greeting, follow, level]);
  expect([0, 1, 2].map(id => talk.answered(line({ id, result: {} })))).toEqual([false, false, false]);
  // Only once: the client may use an id again.
  expect(talk.answered(line({ id: 0, result: {} }))).toBe(true);
  expect(talk.answered(line({ method: 'notifications/message', params: {} }))).toBe(true);
});
