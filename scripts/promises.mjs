// `npm run promises`: every clause of docs/promises.md beside the tests that cite it.
//   --check   fails where a kept clause has no passing test, or a test cites a clause that does not exist
//   --static  the same without results of a run: a citation in a test file is enough
//   --rigs    the same for the clauses that only the slow parts prove
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addProof, citations, readClauses } from './clauses.mjs';
import { ROOT } from './setup.mjs';

const words = new Set(process.argv.slice(2));
const clauses = readClauses();
const proofs = words.has('--static') ? citations() : results();
if (words.has('--check') || words.has('--static') || words.has('--rigs')) check();
else print();

/** Tests of the last run, by the clauses their names cite. */
function results() {
  // The slow parts run after the rest: until they have, their citations count.
  const found = existsSync(join(ROOT, '.reports', 'rigs.json')) ? new Map() : citations(['e2e/rigs']);
  for (const name of ['tests.json', 'rigs.json']) {
    const report = join(ROOT, '.reports', name);
    if (!existsSync(report)) continue;
    for (const file of JSON.parse(readFileSync(report, 'utf8')).testResults) {
      for (const test of file.assertionResults) {
        for (const id of idsIn(test.title))
          addProof(found, id, { title: test.title, passed: test.status === 'passed' });
      }
    }
  }
  return found;
}

function check() {
  const known = new Set(clauses.map(clause => clause.id));
  const elsewhere = words.has('--rigs') ? citations(['e2e'], path => !path.startsWith('rigs')) : undefined;
  const judged = elsewhere ? clauses.filter(({ id }) => slowClauses().has(id) && !elsewhere.has(id)) : clauses;
  const unproved = judged.filter(({ id, state }) => state === 'kept' && !proofs.get(id)?.some(proof => proof.passed));
  const unknown = [...proofs.keys()].filter(id => !known.has(id));
  for (const { id, statement } of unproved)
    console.error(`promise ${id} is marked kept, but no test proves it: ${statement}`);
  for (const id of unknown) console.error(`a test cites the clause ${id}, which docs/promises.md does not have`);
  const kept = clauses.filter(clause => clause.state === 'kept').length;
  console.log(`promises: ${kept} of ${clauses.length} clauses kept, ${clauses.length - kept} open`);
  process.exit(unproved.length + unknown.length > 0 ? 1 : 0);
}

/** Clauses that a slow part cites. */
function slowClauses() {
  return new Set(citations(['e2e/rigs']).keys());
}

function print() {
  for (const { id, state, statement } of clauses) {
    const tests = proofs.get(id) ?? [];
    const mark = tests.some(test => test.passed) ? 'proved' : tests.length > 0 ? 'FAILED' : '';
    console.log(`${id.padEnd(8)}${state.padEnd(6)}${mark.padEnd(8)}${statement}`);
  }
  const cited = clauses.filter(({ id }) => proofs.has(id)).length;
  console.log(
    `${clauses.length} clauses, ${clauses.filter(one => one.state === 'kept').length} kept, ${cited} cited by a test`,
  );
}

function idsIn(title) {
  // A title may begin with a bracket of its own, as that of a table row does.
  return /^\[([\dAC][\w.]*(?: [\dAC][\w.]*)*)\]/.exec(title)?.[1]?.split(' ') ?? [];
}
