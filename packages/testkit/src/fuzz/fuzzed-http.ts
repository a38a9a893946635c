/** Sends the messages of a case as the body of an HTTP response, which may be damaged too. */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from './dice.ts';
import type { FuzzedAnswer } from './fuzzed-answers.ts';
import { pieces } from './spelling.ts';

const STATUSES = [200, 200, 202, 204, 301, 400, 401, 403, 409, 429, 500, 502, 503];
/** Ends the session at the server, for all requests: each takes a while to come back from. */
const GONE = 404;
const TYPES = [
  'application/json',
  'text/event-stream',
  'text/html',
  'text/plain',
  'application/json; charset=utf-8',
  '',
];

export async function sendFuzzed(
  response: ServerResponse,
  { before, answer }: FuzzedAnswer,
  dice: Dice,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const isPlain = before.length === 0 && answer !== undefined && dice.chance(0.6);
  // Odd statuses and types are rare: each hides the message from all that reads it.
  const isOdd = answer !== undefined && dice.chance(0.04);
  const type = isOdd ? dice.pick(TYPES) : isPlain ? 'application/json' : 'text/event-stream';
  const status = isOdd ? (dice.chance(0.01) ? GONE : dice.pick(STATUSES)) : 200;
  response.writeHead(status, { ...headers, ...(type ? { 'content-type': type } : {}) });
  if (status === 204) return void response.end();
  const body = isPlain
    ? answer
    : Buffer.concat([...before, ...(answer ? [answer] : [])].map(message => event(message, dice)));
  for (const piece of pieces(body, dice)) {
    response.write(piece);
    if (dice.chance(0.5)) await sleep(1);
  }
  if (dice.chance(0.01)) response.destroy();
  else response.end();
}

/** One event of a stream, with the line breaks, fields and comments that a stream may have, and some that it may not. */
function event(message: Buffer, dice: Dice): Buffer {
  const end = dice.pick(['\n', '\n', '\n', '\r\n', '\r']);
  const text = message.toString('latin1');
  const data = text.split(/\r\n|\n|\r/).map(line => `data:${dice.chance(0.8) ? ' ' : ''}${line}${end}`);
  const first = dice.weighted({
    none: 12,
    event: 1,
    id: 1,
    comment: 1,
    retry: 1,
    oddName: 0.2,
    noColon: 0.5,
    mark: 0.2,
  });
  const before = {
    none: '',
    event: `event: message${end}`,
    id: `id: ${dice.below(100)}${end}`,
    comment: `: hello${end}`,
    retry: `retry: ${dice.pick(['1', '0', 'x', '-5', '99999999999'])}${end}`,
    oddName: `event: other${end}`,
    noColon: `data${end}junk${end}`,
    mark: '\xef\xbb\xbf',
  }[first];
  return Buffer.from(`${before}${data.join('')}${dice.chance(0.97) ? end : ''}`, 'latin1');
}
