/** The libraries that can take part, and how a worker finds the one it was asked for. */
import type { Library } from './contestant.ts';
import { floor } from './floor.ts';
import { junctorLibrary } from './junctor-library.ts';
import { peerLibraries } from './peers/libraries.ts';
import { sdk2, sdk2AtHub } from './sdk2.ts';

export const ownLibraries: readonly Library[] = [floor, sdk2, junctorLibrary];

export function findLibrary(name: string): Library {
  const library = [...ownLibraries, sdk2AtHub, ...peerLibraries].find(candidate => candidate.name === name);
  if (!library) throw new Error(`there is no library '${name}' in this bench`);
  return library;
}
