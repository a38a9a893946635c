import { describe, expect, test } from 'vitest';
import { HeldLists, type Listing } from './held-lists.ts';

const link = {};
const list = (...items: string[]): Listing<string> => ({ items, skipped: [], at: 1 });

function held(...items: string[]): HeldLists<string> {
  const lists = new HeldLists<string>();
  lists.put('s', list(...items), link, lists.mark('s'));
  return lists;
}

describe('a list that is put', () => {
  test('counts, and stays the same value while it says the same', () => {
    const lists = held('a');
    const before = lists.get('s')?.items;
    expect(lists.put('s', list('a'), link, lists.mark('s'))).toEqual({ confirmed: true, silentlyChanged: false });
    expect(lists.get('s')?.items).toBe(before);
  });

  test('changed in silence where nobody announced it', () => {
    const lists = held('a');
    expect(lists.put('s', list('b'), link, lists.mark('s'))).toEqual({ confirmed: true, silentlyChanged: true });
    const announced = held('a');
    announced.announce('s');
    expect(announced.put('s', list('b'), link, announced.mark('s'))).toEqual({
      confirmed: true,
      silentlyChanged: false,
    });
  });

  test('is overtaken by a change announced while it was read, and not taken in at all once forgotten', () => {
    const lists = held('a');
    const mark = lists.mark('s');
    lists.announce('s');
    expect([lists.put('s', list('b'), link, mark).confirmed, lists.get('s')?.standing]).toEqual([false, 'overtaken']);
    lists.forget('s');
    expect([lists.put('s', list('c'), link, mark).confirmed, lists.get('s')]).toEqual([false, undefined]);
  });
});

describe('an announcement', () => {
  test('is news until somebody looks', () => {
    const lists = held('a');
    expect([lists.announce('s'), lists.announce('s'), lists.announce('s')]).toEqual([true, false, false]);
    lists.put('s', list('b'), link, lists.mark('s'));
    expect(lists.announce('s')).toBe(true);
  });
});

describe('a suggestion from an earlier run', () => {
  test('gives way to what the server said', () => {
    const lists = new HeldLists<string>();
    lists.suggest('s', list('old'));
    expect([lists.get('s')?.items, lists.get('s')?.standing]).toEqual([['old'], 'remembered']);
    lists.put('s', list('new'), link, lists.mark('s'));
    lists.suggest('s', list('older'));
    expect([lists.get('s')?.items, lists.get('s')?.standing]).toEqual([['new'], 'confirmed']);
  });
});
