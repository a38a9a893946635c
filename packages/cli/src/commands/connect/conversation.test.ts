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
  expect(talk.lost()).toEqual({ held: [], sent: ['"running"'], questions: [] });
  expect(talk.again()).toEqual([greeting, follow, level]);
  expect([0, 1, 2].map(id => talk.answered(line({ id, result: {} })))).toEqual([false, false, false]);
  // Only once: the client may use an id again.
  expect(talk.answered(line({ id: 0, result: {} }))).toBe(true);
  expect(talk.answered(line({ method: 'notifications/message', params: {} }))).toBe(true);
});

test('of a batch every message is known, and only what a new hub has to know is said again', () => {
  const talk = new Conversation();
  const follow = { jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: { uri: 'a:1' } };
  const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'run' } };
  const batch = (messages: object[]) => [Buffer.from(JSON.stringify(messages))];
  expect(talk.asked(batch([follow, call]))).toBe(true);
  expect(talk.answered(batch([{ jsonrpc: '2.0', id: 1, result: {} }]))).toBe(true);
  expect(talk.lost()).toEqual({ held: [], sent: ['2'], questions: [] });
  expect(talk.again()).toEqual([[Buffer.from(JSON.stringify(follow))]]);
  // An answer to a question that nobody asks goes nowhere.
  expect(talk.asked(batch([{ jsonrpc: '2.0', id: 'late', result: {} }]))).toBe(false);
  expect(talk.answered(batch([{ jsonrpc: '2.0', id: 'asked', method: 'ping' }]))).toBe(true);
  expect(talk.asked(batch([{ jsonrpc: '2.0', id: 'asked', result: {} }]))).toBe(true);
});

test('what waits for approval is known until it waits no more', () => {
  const talk = new Conversation();
  for (const id of [1, 2]) talk.asked(line({ id, method: 'tools/call', params: {} }));
  for (const requestId of [1, 2])
    expect(talk.answered(line({ method: 'notifications/junctor/held', params: { requestId } }))).toBe(false);
  expect(talk.answered(line({ method: 'notifications/junctor/released', params: { requestId: 1 } }))).toBe(false);
  expect(talk.lost()).toEqual({ held: ['2'], sent: ['1'], questions: [] });
});
