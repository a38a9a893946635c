/** The file of word vectors that comes with Junctor. It is read when the first search is made, and may be missing. */
import { readFileSync } from 'node:fs';
import { WordVectors } from './word-vectors.ts';

/** Read once, whoever asks how often. Undefined where it cannot be read: then words alone decide. */
export function wordVectorsOnDemand(): () => WordVectors | undefined {
  let read: { readonly vectors: WordVectors | undefined } | undefined;
  return () => {
    read ??= { vectors: readVectors() };
    return read.vectors;
  };
}

function readVectors(): WordVectors | undefined {
  // A literal, so that bundlers and file tracers bring the file along. The build writes where it lies for what is built.
  return vectorsAt(new URL('../../../data/word-vectors.bin', import.meta.url)) ?? vectorsAt(besideUs());
}

/** For a program that is one file, with the vectors beside it. */
function besideUs(): URL {
  const name = 'word-vectors.bin';
  return new URL(name, import.meta.url);
}

function vectorsAt(file: URL): WordVectors | undefined {
  try {
    return new WordVectors(readFileSync(file));
  } catch {
    return undefined;
  }
}
