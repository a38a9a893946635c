import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '@junctor/testkit';
import { expect, test } from 'vitest';

/** Everything that is loaded with a file, as it is built: what is imported only when needed is not among it. */
function loadedWith(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, target] of text.matchAll(/(?:from|import)\s*"(\.[^"]+)"/g)) {
    loadedWith(join(dirname(file), String(target)), found);
  }
  return found;
}

test('whoever signs in to nothing loads nothing for it', () => {
  const entry = join(ROOT, 'packages', 'core', 'dist', 'index.js');
  const texts = [...loadedWith(entry)].map(file => readFileSync(file, 'utf8'));
  const withSdk = texts.filter(text => text.includes('oauth-authorization-server'));
  expect([texts.length > 1, withSdk.length]).toEqual([true, 0]);
});
