import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '@junctor/testkit';

/** The texts of everything that is loaded with the library, or with another file of it, as it is built. */
export function loadedWithLibrary(file = 'index.js'): string[] {
  const entry = join(ROOT, 'packages', 'core', 'dist', file);
  return [...loadedWith(entry)].map(file => readFileSync(file, 'utf8'));
}

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
