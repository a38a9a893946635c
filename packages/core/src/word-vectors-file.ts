/** The file of word vectors that comes with Junctor. It is read when the first search is made, and may be missing. */
import { readFileSync } from 'node:fs';
import { WordVectors } from './catalogue/search/word-vectors.ts';

/** Where it lies depends on how we were built: in a bundle, in our own folder, or one above that of the chunks. */
const PLACES = ['./', '../data/', '../../data/'];

/** Read once, whoever asks how often. Undefined where it cannot be read: then words alone decide. */
export function wordVectorsOnDemand(): () => WordVectors | undefined {
  let read: { readonly vectors: WordVectors | undefined } | undefined;
  return () => {
    read ??= { vectors: readVectors() };
    return read.vectors;
  };
}

function readVectors(): WordVectors | undefined {
  for (const place of PLACES) {
    try {
      return new WordVectors(readFileSync(new URL(`${place}word-vectors.bin`, import.meta.url)));
    } catch {
      // Not here: the next place.
    }
  }
  return undefined;
}
