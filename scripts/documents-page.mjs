// Writes docs/documents.md: the statements of docs/documents.json, each with the clauses of docs/promises.md that prove it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readClauses } from './clauses.mjs';
import { ROOT } from './setup.mjs';

const PAGE = join(ROOT, 'docs', 'documents.md');

export function readDocuments() {
  return JSON.parse(readFileSync(join(ROOT, 'docs', 'documents.json'), 'utf8'));
}

/** Clauses that a statement cites, and that are not there, or not kept. */
export function brokenCitations(documents = readDocuments(), clauses = readClauses()) {
  const states = new Map(clauses.map(({ id, state }) => [id, state]));
  return documents.flatMap(({ statements }) =>
    statements.flatMap(({ id, clauses: cited }) =>
      cited
        .filter(clause => states.get(clause) !== 'kept')
        .map(clause => `${id} cites ${clause}, which is ${states.get(clause) ?? 'no clause'}`),
    ),
  );
}

export function documentsPage(documents = readDocuments()) {
  const all = documents.flatMap(({ statements }) => statements);
  const counts = documents.map(({ title, statements }) => countRow(title, statements));
  return `# The documents that Junctor grew from

Junctor does what five design documents ask of other programs, and its own config reads their files. This page has every
statement of them, in our words: \`kept\`, with the clauses of [the promises](promises.md) that prove it, or \`different\`, with the
reason and what holds instead. It is made of \`docs/documents.json\` by \`node scripts/documents-page.mjs\`; a test compares
the two, and fails where a clause is missing or not kept.

| document | statements | kept | different | open |
|---|---|---|---|---|
${counts.join('\n')}
${countRow('all', all)}
${documents.map(section).join('')}`;
}

function countRow(title, statements) {
  const states = statements.map(stateOf);
  const count = state => states.filter(one => one === state).length;
  return `| ${title} | ${statements.length} | ${count('kept')} | ${count('different')} | ${count('open')} |`;
}

function section({ title, about, statements }) {
  return `
## ${title}

${about}

| id | statement | state | clauses |
|---|---|---|---|
${statements.map(row).join('\n')}
`;
}

function row(statement) {
  const { id, says, different, open, clauses } = statement;
  const reason = different ?? open;
  const state = `${stateOf(statement)}${reason === undefined ? '' : `: ${reason}`}`;
  return `| ${id} | ${says} | ${state} | ${clauses.join(', ')} |`;
}

function stateOf({ different, open }) {
  if (open !== undefined) return 'open';
  return different === undefined ? 'kept' : 'different';
}

if (process.argv[1] === import.meta.filename) {
  const broken = brokenCitations();
  if (broken.length > 0) throw new Error(broken.join('\n'));
  writeFileSync(PAGE, documentsPage());
}
