import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TokenEnds } from './token-ends.ts';

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

test('what is followed ends with the last token of its owner, and never without an end', () => {
  const ends = new TokenEnds();
  const ended: string[] = [];
  const follow = (principal: string, until?: number) => ends.follow({ principal, until }, () => ended.push(principal));
  follow('renewed', 1000);
  follow('single', 1000);
  follow('for ever');
  follow('gone before', 1000)();
  // Longer than a timer of Node can wait.
  const month = 30 * 24 * 60 * 60_000;
  follow('long', month);
  ends.seen({ principal: 'renewed', until: 2000 });
  ends.seen({ principal: 'renewed', until: 1500 });
  vi.advanceTimersByTime(1999);
  expect(ended).toEqual(['single']);
  vi.advanceTimersByTime(1);
  expect(ended).toEqual(['single', 'renewed']);
  vi.advanceTimersByTime(month - 2001);
  expect(ended).toEqual(['single', 'renewed']);
  vi.advanceTimersByTime(1);
  expect(ended).toEqual(['single', 'renewed', 'long']);
});
