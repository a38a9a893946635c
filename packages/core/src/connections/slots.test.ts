import { expect, test } from 'vitest';
import { Slots } from './slots.ts';

/** Work that ends when it is told to. */
function begun(slots: Slots) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = { began: false, end: resolve, over: Promise.resolve() };
  work.over = slots.run(() => {
    work.began = true;
    return promise;
  });
  return work;
}

test('more or fewer may begin at once from one moment to the next', async () => {
  const slots = new Slots(1);
  const works = Array.from({ length: 5 }, () => begun(slots));
  const running = async (): Promise<number> => {
    // The next one begins a turn later.
    for (let turns = 0; turns < 5; turns++) await new Promise(setImmediate);
    return works.filter(({ began }) => began).length;
  };
  expect(await running()).toBe(1);
  slots.resize(3);
  expect(await running()).toBe(3);
  slots.resize(1);
  works[0]?.end();
  works[1]?.end();
  expect(await running(), 'one still runs').toBe(3);
  works[2]?.end();
  expect(await running()).toBe(4);
  for (const { end } of works) end();
  await Promise.all(works.map(({ over }) => over));
});
