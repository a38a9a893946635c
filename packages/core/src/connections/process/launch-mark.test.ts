import { describe, expect, test } from 'vitest';
import { isOwnerAlive, markNumber, newLaunchMark, newMarkBeginning, ownerOf } from './launch-mark.ts';

describe('the mark of a start', () => {
  test('is another one each time, in the letters of a UUID', () => {
    const marks = Array.from({ length: 50 }, newLaunchMark);
    expect(new Set(marks).size).toBe(50);
    for (const mark of marks) expect(mark).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('may share its beginning with others', () => {
    const beginning = newMarkBeginning();
    const marks = Array.from({ length: 50 }, (_, number) => markNumber(beginning, number));
    expect(new Set(marks).size).toBe(50);
    for (const mark of marks) expect(mark).toMatch(/^[0-9a-f-]{36}$/);
    expect(ownerOf(marks[0] ?? '')).toEqual(ownerOf(newLaunchMark()));
  });

  test.runIf(process.platform === 'linux')('names an owner that lives, or does not', async () => {
    const owner = ownerOf(newLaunchMark());
    if (!owner) return expect.unreachable('it names nobody');
    expect(owner.pid).toBe(process.pid);
    expect(await isOwnerAlive(owner)).toBe(true);
    // The same process id, given to somebody else since.
    expect(await isOwnerAlive({ ...owner, began: owner.began - 1 })).toBe(false);
    expect(await isOwnerAlive({ pid: 2 ** 31 - 1, began: owner.began })).toBe(false);
  });

  test('of another kind names nobody', () => {
    expect(ownerOf('5f0c9c1e-8f3f-4a53-9f5e-0d9f1f0a8b11')).toBeUndefined();
    expect(ownerOf('0000002a-000000000000-00112233445566')).toBeUndefined();
    expect(ownerOf('')).toBeUndefined();
  });
});
