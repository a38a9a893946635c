/** The folders that servers may know of. They are told only where a program names some. */
import { JunctorError } from '../../base/error.ts';
import type { AnswerKind } from './answers.ts';

/** A folder that servers may know of. */
export interface Root {
  /** A `file:` URL. */
  readonly uri: string;
  /** What to call it. */
  readonly name?: string;
}

/** The folders, or a function that names them for a server when it asks. */
export type RootsSource = readonly Root[] | ((server: string) => readonly Root[] | Promise<readonly Root[]>);

export class Roots {
  #source: RootsSource;

  constructor(source: RootsSource) {
    this.#source = checked(source);
  }

  replace(source: RootsSource): void {
    this.#source = checked(source);
  }

  async listFor(server: string): Promise<readonly Root[]> {
    if (typeof this.#source !== 'function') return this.#source;
    return checkedList(await this.#source(server));
  }
}

export function rootsKind(roots: Roots): AnswerKind {
  return {
    method: 'roots/list',
    capabilities: { roots: { listChanged: true } },
    answer: async (_params, { server }) => ({ roots: await roots.listFor(server) }),
  };
}

/** A list is read at once, so that a mistake in it is told to whoever made it. */
function checked(source: RootsSource): RootsSource {
  return typeof source === 'function' ? source : checkedList(source);
}

function checkedList(roots: readonly Root[]): readonly Root[] {
  return roots.map(({ uri, name }) => {
    if (!isFileUrl(uri)) {
      throw new JunctorError('usage', `The root '${uri}' is not a file: URL.`, {
        why: 'MCP knows no other kind of root',
        hint: 'use pathToFileURL(folder).href of node:url',
      });
    }
    return name === undefined ? { uri } : { uri, name };
  });
}

function isFileUrl(uri: string): boolean {
  return URL.canParse(uri) && new URL(uri).protocol === 'file:';
}
