// The tables of docs/threat-model.md: threats and defences with the tests that prove them.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { citations } from '../clauses.mjs';
import { ROOT } from '../setup.mjs';
import { BEST_PRACTICES } from './best-practices.mjs';
import { THREATS } from './threats.mjs';

export const PAGE = join(ROOT, 'docs', 'threat-model.md');

/** The test files that prove a clause or are named themselves, by what is to be proved. */
export function proofFiles() {
  const found = new Map();
  for (const folder of ['e2e', 'packages'])
    for (const [clause, proofs] of citations([folder])) {
      const files = proofs.map(({ title }) => `${folder}/${title.replaceAll('\\', '/')}`);
      found.set(clause, [...new Set([...(found.get(clause) ?? []), ...files])].sort());
    }
  return proof => (isFile(proof) ? (existsSync(join(ROOT, proof)) ? [proof] : []) : (found.get(proof) ?? []));
}

export function isFile(proof) {
  return proof.endsWith('.test.ts');
}

/** The page with the tables as the tests are now. Throws where nothing proves a line. */
export function page(text = readFileSync(PAGE, 'utf8')) {
  const files = proofFiles();
  const tests = proofs => {
    const unproved = proofs.filter(proof => files(proof).length === 0);
    if (unproved.length > 0) throw new Error(`no test proves ${unproved.join(', ')}`);
    const clauses = proofs.filter(proof => !isFile(proof));
    return [...clauses, ...new Set(proofs.flatMap(files).map(file => `\`${file}\``))].join(', ');
  };
  const threats = THREATS.map(
    ({ by, threat, defence, proofs }) => `| ${by} | ${threat} | ${defence} | ${tests(proofs)} |`,
  );
  const points = BEST_PRACTICES.map(({ point, answer, proofs }) => `| ${point} | ${answer} | ${tests(proofs)} |`);
  const filled = fill(text, 'threats', [
    '| who | threat | defence | proved by |',
    '| --- | --- | --- | --- |',
    ...threats,
  ]);
  return fill(filled, 'best practices', ['| point | answer | proved by |', '| --- | --- | --- |', ...points]);
}

function fill(text, name, rows) {
  const [begin, end] = [`<!-- ${name}: written by npm run attack -- --page -->`, `<!-- end of ${name} -->`];
  const [at, until] = [text.indexOf(begin), text.indexOf(end)];
  if (at < 0 || until < at) throw new Error(`docs/threat-model.md lacks the marks of ${name}`);
  return `${text.slice(0, at + begin.length)}\n\n${rows.join('\n')}\n\n${text.slice(until)}`;
}
