/** Takes a JSON text apart: its value with every key that stands twice, or every syntax error. */
import { type JSONVisitor, type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';
import type { Problem } from '../../problem.ts';
import type { Table } from '../changes.ts';
import type { DuplicateKey } from '../document.ts';
import type { Parsed } from '../edit-text.ts';
import { deepProblem, duplicateProblem, MAX_DEPTH, syntaxProblem, together } from '../problems.ts';
import { plainJson } from './json-plain.ts';

/** After so many the rest are echoes of the first. */
const MAX_ERRORS = 20;

export function parseJson(file: string, text: string): Parsed<undefined> {
  const plain = plainJson(text);
  if (plain) return { ok: true, tree: undefined, value: plain.value };
  const reader = new JsonReader(file, text);
  try {
    visit(text, reader, { allowTrailingComma: true });
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  if (reader.problems.length > 0) return { ok: false, problems: reader.problems };
  return { ok: true, tree: undefined, value: reader.value, duplicates: reader.duplicates };
}

/** The keys that stand twice in a valid JSON text, each as a problem with its path. */
export function duplicateKeys(text: string): readonly Problem[] {
  const parsed = parseJson('', text);
  return parsed.ok ? (parsed.duplicates ?? []).map(({ problem }) => problem) : [];
}

class Enough extends Error {}

/** What is being read, with the places of its keys. */
interface Open {
  readonly value: Table | unknown[];
  readonly keys: Map<string, { readonly line: number; readonly column: number }>;
  key: string;
  /** The key was there before. */
  isTwice: boolean;
}

/** Builds values without prototypes: a key named `__proto__` is data like any other. */
class JsonReader implements JSONVisitor {
  readonly problems: Problem[] = [];
  readonly duplicates: DuplicateKey[] = [];
  value: unknown;
  readonly #file: string;
  readonly #text: string;
  readonly #open: Open[] = [];
  readonly #lists = new WeakSet();

  constructor(file: string, text: string) {
    this.#file = file;
    this.#text = text;
  }

  onObjectBegin = (_offset: number, _length: number, line: number, column: number): void => {
    this.#begin(Object.create(null), line, column);
  };

  onArrayBegin = (_offset: number, _length: number, line: number, column: number): void => {
    this.#begin([], line, column);
  };

  onObjectProperty = (key: string, _offset: number, _length: number, line: number, column: number): void => {
    const object = this.#open.at(-1);
    if (!object) return;
    object.key = key;
    const place = { line: line + 1, column: column + 1 };
    const first = object.keys.get(key);
    object.isTwice = first !== undefined;
    if (!first) object.keys.set(key, place);
    else {
      const path = this.#path();
      this.duplicates.push({ path, problem: duplicateProblem(this.#file, path, { first, second: place }) });
    }
  };

  onLiteralValue = (value: unknown): void => {
    this.#add(value);
  };

  onObjectEnd = (): void => {
    this.#open.pop();
  };

  onArrayEnd = (): void => {
    this.#open.pop();
  };

  onError = (error: ParseErrorCode, offset: number, _length: number, line: number, column: number): void => {
    if (this.#isEcho(error, line + 1)) return;
    const found = this.#text.slice(offset, offset + 20).split(/\r?\n/)[0];
    const words = printParseErrorCode(error)
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase();
    const what = `${words} at ${found ? JSON.stringify(found) : 'the end'}`;
    const problem = syntaxProblem(this.#file, { line: line + 1, column: column + 1 }, 'JSON', what);
    this.problems.push(problem);
    if (this.problems.length >= MAX_ERRORS) throw new Enough();
  };

  /** The parser stumbles over one slip several times: once for each sign of that line, and over what is left at the end. */
  #isEcho(error: ParseErrorCode, line: number): boolean {
    const last = this.problems.at(-1);
    return last !== undefined && (last.line === line || printParseErrorCode(error) === 'EndOfFileExpected');
  }

  #begin(value: Table | unknown[], line: number, column: number): void {
    if (this.#open.length >= MAX_DEPTH) {
      this.problems.splice(0, this.problems.length, deepProblem(this.#file, { line: line + 1, column: column + 1 }));
      throw new Enough();
    }
    this.#add(value);
    this.#open.push({ value, keys: new Map(), key: '', isTwice: false });
  }

  #add(value: unknown): void {
    const holder = this.#open.at(-1);
    if (!holder) this.value = value;
    else if (Array.isArray(holder.value)) holder.value.push(value);
    else holder.value[holder.key] = holder.isTwice ? together(this.#lists, holder.value[holder.key], value) : value;
  }

  #path(): (string | number)[] {
    return this.#open.map(({ value, key }) => (Array.isArray(value) ? value.length - 1 : key));
  }
}
