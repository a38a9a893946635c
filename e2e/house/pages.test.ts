import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_CODES, VERSION } from '@junctor/core';
import { promise, ROOT } from '@junctor/testkit';
import { describe, expect, test } from 'vitest';

const page = (name: string) => readFileSync(join(ROOT, 'docs', name), 'utf8');

describe('the pages', () => {
  promise('9.12a', 'docs/errors.md lists the codes of the program, each with its meaning', () => {
    const rows = [...page('errors.md').matchAll(/^\| `(\w+)` *\| *\d+ *\| (.*?) *\|$/gm)].map(([, code, meaning]) => [
      code,
      meaning,
    ]);
    expect(Object.fromEntries(rows)).toEqual(ERROR_CODES);
  });

  test('docs/architecture.md shows each walk in at most fifteen files, all of which exist', () => {
    const ways = page('architecture.md')
      .split(/\n## (?:One call|One question|From a file)/)
      .slice(1);
    expect(ways).toHaveLength(3);
    for (const way of ways) {
      const files = [...way.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file]) => file as string);
      expect(files.length).toBeGreaterThan(3);
      expect(files.length).toBeLessThanOrEqual(15);
      expect(files.filter(file => !existsSync(join(ROOT, file)))).toEqual([]);
    }
  });

  promise('9.12c', 'all packages have one and the same 0.x version', () => {
    const versions = ['.', ...readdirSync(join(ROOT, 'packages')).map(name => join('packages', name))].map(
      folder => JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')).version,
    );
    expect(new Set([...versions, VERSION]).size).toBe(1);
    expect(VERSION).toMatch(/^0\./);
  });
});
