/** What is kept for a client that is away is bounded, by number and by size. */
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { EventLog, MAX_KEPT_BYTES } from './event-log.ts';

/** A reader that remembers what it was sent. */
function reader(): { readonly response: ServerResponse; text(): string } {
  const written: Buffer[] = [];
  const response = {
    writableLength: 0,
    on: () => response,
    writeHead: () => response,
    flushHeaders() {},
    write: (piece: string | Buffer) => written.push(Buffer.from(piece)) > 0,
    end() {},
  };
  return { response: response as unknown as ServerResponse, text: () => Buffer.concat(written).toString() };
}

function fetched(log: EventLog): string {
  const { response, text } = reader();
  log.attach(response, 0);
  return text();
}

test('of many small events the newest are kept', () => {
  const log = new EventLog('s');
  for (let at = 0; at < 10_000; at++) log.say({ at });
  const text = fetched(log);
  expect(text.match(/^id: /gm)?.length).toBeLessThanOrEqual(256);
  expect(text).toContain('{"at":9999}');
  expect(text).not.toContain('{"at":9000}');
});

test('of large events no more is kept than fits, and one that is too large leaves a stand-in', () => {
  const log = new EventLog('s');
  for (let at = 0; at < 20; at++) log.say({ at, text: 'x'.repeat(MAX_KEPT_BYTES / 4) });
  log.push([Buffer.alloc(2 * MAX_KEPT_BYTES, 'y')], bytes => `{"left_out":${bytes}}`);
  const text = fetched(log);
  expect(text.length).toBeLessThan(1.1 * MAX_KEPT_BYTES);
  expect(text).toContain(`{"left_out":${2 * MAX_KEPT_BYTES}}`);
});
