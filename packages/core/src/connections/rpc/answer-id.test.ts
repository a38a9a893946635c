import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findAnswerId, withId } from './answer-id.ts';
import { frameText } from './frame.ts';

const find = (...pieces: string[]) => findAnswerId(pieces.map(piece => Buffer.from(piece)))?.id;

describe('findAnswerId', () => {
  test.each([
    ['id first', '{"jsonrpc":"2.0","id":7,"result":{}}', 7],
    ['id before jsonrpc', '{"id":7,"jsonrpc":"2.0","result":{"id":1}}', 7],
    ['spaces, as Python writes them', '{"jsonrpc": "2.0", "id": 12, "result": {}}', 12],
    ['an error', '{"jsonrpc":"2.0","id":3,"error":{"code":1,"message":"x"}}', 3],
    ['id last, as the SDK writes it', '{"result":{"id":99,"content":[]},"jsonrpc":"2.0","id":5}', 5],
    ['id, then jsonrpc last', '{"result":{},"id":5,"jsonrpc":"2.0"}', 5],
    ['id last with spaces', '{ "result": {}, "jsonrpc": "2.0", "id": 5 }', 5],
    ['indented', '{\n  "jsonrpc": "2.0",\n  "id": 5,\n  "result": {}\n}\n', 5],
    ['indented, id last', '{\n  "result": {},\n  "jsonrpc": "2.0",\n  "id": 5\n}\n', 5],
    ['a string that imitates an end', '{"result":{"text":"\\",\\"id\\":9}"},"jsonrpc":"2.0","id":5}', 5],
    ['a request of the server', '{"jsonrpc":"2.0","id":7,"method":"ping"}', undefined],
    ['a request with its id last', '{"method":"ping","jsonrpc":"2.0","id":7}', undefined],
    ['a notification', '{"jsonrpc":"2.0","method":"notifications/progress","params":{"id":3}}', undefined],
    ['an id in the middle', '{"result":{},"id":5,"extra":{}}', undefined],
    ['an id that is a string', '{"jsonrpc":"2.0","id":"7","result":{}}', undefined],
    ['an id that only the result has', '{"result":{"id":5}}', undefined],
    ['a batch', '[{"jsonrpc":"2.0","id":7,"result":{}}]', undefined],
    ['garbage', 'Server listening', undefined],
    ['nothing', '', undefined],
    ['half a message', '{"jsonrpc":"2.0","id":7', undefined],
  ])('%s', (_name, text, id) => {
    expect(find(text)).toBe(id);
  });

  test('looks at the ends of a message in pieces', () => {
    expect(find('{"result":{"content":', '[]},"jsonrpc":"2.0","id":5}')).toBe(5);
    expect(find('{"jsonrpc":"2.0","id":5,"result":', '{}}')).toBe(5);
  });

  test('never names another id than parsing does, and splices so that only the id changes', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 4 }),
        fc.nat(),
        fc.boolean(),
        fc.nat({ max: 400 }),
        (result, id, first, cut) => {
          const message = first ? { jsonrpc: '2.0', id, result } : { result, jsonrpc: '2.0', id };
          const bytes = Buffer.from(JSON.stringify(message));
          const at = Math.min(cut, bytes.length);
          const frame = [bytes.subarray(0, at), bytes.subarray(at)].filter(piece => piece.length > 0);
          const found = findAnswerId(frame);
          if (!found) return; // cut inside an end: the caller parses
          expect(found.id).toBe(id);
          expect(JSON.parse(frameText(withId(frame, found, '"mine"')))).toEqual({
            ...JSON.parse(bytes.toString()),
            id: 'mine',
          });
        },
      ),
      { numRuns: 500 },
    );
  });
});
