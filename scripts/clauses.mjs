// The clauses of docs/promises.md, and which test files cite them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './setup.mjs';

export function readClauses() {
  const text = readFileSync(join(ROOT, 'docs', 'promises.md'), 'utf8');
  return [...text.matchAll(/^\| *((?:\d+\.\d+|C11\.\d+|A10)[a-z]{1,2}) *\| *(open|kept) *\| *(.*?) *\|$/gm)].map(
    ([, id, state, statement]) => ({ id, state, statement }),
  );
}

/** Citations as they stand in the test files. */
export function citations(folders = ['e2e', 'packages', 'scripts'], counts = () => true) {
  const found = new Map();
  for (const folder of folders) {
    for (const entry of readdirSync(join(ROOT, folder), { recursive: true })) {
      const path = String(entry);
      if (!path.endsWith('.test.ts') || path.includes('node_modules') || !counts(path)) continue;
      const text = readFileSync(join(ROOT, folder, path), 'utf8');
      for (const [, list] of text.matchAll(/(?:promise\(|clause:)\s*(\[[^\]]*\]|'[^']*')/g)) {
        for (const [, id] of list.matchAll(/'([^']+)'/g)) addProof(found, id, { title: path, passed: true });
      }
    }
  }
  return found;
}

export function addProof(map, id, proof) {
  map.set(id, [...(map.get(id) ?? []), proof]);
}
