import { assert, property, string, uniqueArray } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { namesBeside, readableName } from './own-names.ts';

const entry = (name: string) => ({ name, server: 'one', tool: name });

const someName = string({ unit: 'binary-ascii', minLength: 1, maxLength: 63 });

describe('names beside native tools', () => {
  test('are all different, no longer than any provider reads, and changed only where they must be', () => {
    assert(
      property(uniqueArray(someName, { maxLength: 8 }), uniqueArray(someName, { maxLength: 8 }), (own, native) => {
        const taken = new Set([...native, ...own.slice(0, 2)]);
        const names = namesBeside(own.map(entry), taken, 'rename');
        expect(new Set([...names, ...taken]).size).toBe(names.length + taken.size);
        for (const [index, name] of names.entries()) {
          expect(name.length).toBeLessThanOrEqual(63);
          if (!taken.has(own[index] as string)) expect(name).toBe(own[index]);
        }
      }),
    );
  });

  test('give way again where a native tool imitates the changed name', () => {
    const [first = ''] = namesBeside([entry('echo')], new Set(['echo']), 'rename');
    const [second = ''] = namesBeside([entry('echo')], new Set(['echo', first]), 'rename');
    expect([first, second]).toEqual([
      expect.stringMatching(/^echo_[0-9a-f]{8}$/),
      expect.stringMatching(/^echo_[0-9a-f]{16}$/),
    ]);
  });

  test('of servers are readable, and different where the servers are', () => {
    const names = ['git', 'gît', 'git hub', 'git.hub', 'x'.repeat(70)].map(readableName);
    expect(names[0]).toBe('git');
    expect(new Set(names).size).toBe(5);
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,63}$/);
  });
});
