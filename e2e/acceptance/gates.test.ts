/** Document C, §11: a release is allowed by what is kept, and what is kept is proved by tests that are run. */
import { promise } from '@junctor/testkit';
import { expect } from 'vitest';
import { citations, readClauses } from '../../scripts/clauses.mjs';

const clauses = readClauses();
const proofs = citations();

/** Of these clauses, the ones that are open or that no test proves. The gates themselves are not what they judge. */
function missing(belongs: (id: string, statement: string) => boolean): string[] {
  const judged = clauses.filter(({ id, statement }) => belongs(id, statement));
  expect(judged.length).toBeGreaterThan(1);
  return judged.filter(({ id, state }) => state !== 'kept' || !proofs.has(id)).map(({ id }) => id);
}

promise('C11.4a', 'remote beta: HTTP, OAuth and tools are all kept', () => {
  expect(missing(id => id.startsWith('C11.1'))).toEqual([]);
});

promise('C11.4b', 'local beta: stdio and tools are all kept', () => {
  expect(missing(id => id.startsWith('C11.2'))).toEqual([]);
});

promise('C11.4c', 'general availability: remote is kept, and so is everything of the profile production-http', () => {
  expect(missing(id => id.startsWith('C11.1'))).toEqual([]);
  const profile = (id: string, statement: string): boolean =>
    id.startsWith('C11.4') && statement.startsWith('`production-http`');
  expect(missing(profile)).toEqual([]);
  expect(clauses.filter(({ id, statement }) => profile(id, statement)).map(({ id }) => id.at(-1))).toEqual([
    ...'defghijklmn',
  ]);
});
