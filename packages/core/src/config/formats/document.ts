import type { Problem } from '../problem.ts';

/** A place inside a document: keys and list positions, from the outermost in. */
export type Path = readonly (string | number)[];

export interface Place {
  /** Both 1-based. */
  readonly line: number;
  readonly column: number;
}

/** The text of one config file as a value, and the way back from a path in the value to a place in the text. */
export interface ConfigDocument {
  readonly file: string;
  readonly value: unknown;
  /** Keys that stand twice. In `value` a list of both values takes their place, which no schema accepts. */
  readonly duplicates?: readonly DuplicateKey[] | undefined;
  /** Computed only when asked: places matter only when something is wrong. The nearest thing that exists stands for a missing one. */
  locate(path: readonly PropertyKey[]): Place;
}

export interface DuplicateKey {
  readonly path: Path;
  readonly problem: Problem;
}

export type DocumentResult =
  | { readonly ok: true; readonly document: ConfigDocument }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** One change of a document. An undefined value removes what stands at the path. */
export interface Edit {
  readonly path: Path;
  readonly value: unknown;
}

export type FormatName = 'json' | 'yaml' | 'toml';

/** A notation for config files. */
export interface TextFormat {
  readonly name: FormatName;
  /** What a new file holds before anything is written into it. */
  readonly empty: string;
  /** All syntax errors at once, each with its place. A duplicate key costs only what stands under it. */
  read(file: string, text: string): DocumentResult;
  /** Makes the changes and no others: comments, order, indentation and line ends stay as the person wrote them. */
  edit(text: string, edits: readonly Edit[]): string;
}
