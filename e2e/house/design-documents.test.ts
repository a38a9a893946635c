import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promise, ROOT } from '@junctor/testkit';
import { expect } from 'vitest';

interface Statement {
  readonly id: string;
  readonly says: string;
  readonly different?: string;
  readonly open?: string;
  readonly clauses: readonly string[];
}

interface Documents {
  readDocuments(): { readonly id: string; readonly statements: readonly Statement[] }[];
  brokenCitations(documents: unknown, clauses?: readonly { id: string; state: string }[]): string[];
  documentsPage(): string;
}

promise('9.12h', 'every statement of the design documents is kept by clauses that are, or has its reason', async () => {
  const script: Documents = await import(join(ROOT, 'scripts', 'documents-page.mjs'));
  const documents = script.readDocuments();
  // After a change of the data: node scripts/documents-page.mjs
  expect(readFileSync(join(ROOT, 'docs', 'documents.md'), 'utf8')).toBe(script.documentsPage());
  const numbers = Object.fromEntries(documents.map(({ id, statements }) => [id, statements.length]));
  expect(numbers).toEqual({ C: 83, T: 36, A: 56, K: 83, O: 89 });
  for (const { id, statements } of documents)
    expect(statements.map(one => one.id)).toEqual(statements.map((_, at) => `${id}${at + 1}`));
  expect(script.brokenCitations(documents)).toEqual([]);
  const all = documents.flatMap(({ statements }) => statements);
  // Nothing is half: what is not kept says why.
  expect(all.filter(({ clauses, open }) => clauses.length === 0 && open === undefined)).toEqual([]);
  expect(all.filter(({ different, open }) => (different ?? open ?? 'a whole reason').length < 10)).toEqual([]);
  const states = [{ id: '1.1a', state: 'open' }];
  const wrong = [{ statements: [{ id: 'X1', clauses: ['1.1a', '0.0z'] }] }];
  expect(script.brokenCitations(wrong, states)).toEqual([
    'X1 cites 1.1a, which is open',
    'X1 cites 0.0z, which is no clause',
  ]);
});
