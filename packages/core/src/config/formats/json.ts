import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Problem } from './problem.ts';

/** The text of one config file as a value, and the way back from a path in the value to a place in the text. */
export interface ConfigDocument {
  readonly file: string;
  readonly value: unknown;
  /** Computed only when asked: places matter only when something is wrong. */
  locate(path: readonly PropertyKey[]): { readonly line: number; readonly column: number };
}

export type DocumentResult =
  | { readonly ok: true; readonly document: ConfigDocument }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Reads JSON, with comments and trailing commas where a person wrote them. Duplicate keys are problems, not last-wins. */
export function readDocument(file: string, source: string): DocumentResult {
  const text = source.charCodeAt(0) === BYTE_ORDER_MARK ? source.slice(1) : source;
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const places = new LineTable(text);
  const problems = [
    ...errors.map(error => ({ ...syntaxProblem(error, text), file, ...places.at(error.offset) })),
    ...(tree ? duplicateKeys(tree).map(({ key, offset }) => duplicateProblem(file, key, places.at(offset))) : []),
  ];
  if (!tree && problems.length === 0) problems.push({ file, path: '', ...EMPTY_FILE });
  if (problems.length > 0 || !tree) return { ok: false, problems };
  return {
    ok: true,
    document: {
      file,
      value: plainValue(tree),
      locate(path) {
        // A missing key has no place of its own: the nearest thing that exists around it has.
        for (let length = path.length; length >= 0; length--) {
          const node = findNodeAtLocation(tree, path.slice(0, length) as (string | number)[]);
          if (node) return places.at(keyOffset(node));
        }
        return places.at(0);
      },
    },
  };
}

const BYTE_ORDER_MARK = 0xfeff;

const EMPTY_FILE = {
  message: 'The file is empty.',
  fix: 'Write { "version": 1, "servers": {} } into it, or remove it.',
};

function syntaxProblem(error: ParseError, text: string): Omit<Problem, 'file'> {
  const found = text.slice(error.offset, error.offset + 20).split('\n')[0] || 'the end of the file';
  const words = printParseErrorCode(error.error)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return {
    path: '',
    message: `Not valid JSON: ${words} at ${JSON.stringify(found)}.`,
    found,
    expected: 'JSON, comments allowed',
    fix: 'Mend the syntax at this place.',
  };
}

function duplicateProblem(file: string, key: string, place: { line: number; column: number }): Problem {
  return {
    file,
    ...place,
    path: key,
    message: `The key '${key}' stands twice in the same object.`,
    expected: 'each key once',
    fix: 'Remove or rename one of them.',
  };
}

function duplicateKeys(root: Node): { key: string; offset: number }[] {
  const twice: { key: string; offset: number }[] = [];
  const todo: Node[] = [root];
  for (let node = todo.pop(); node; node = todo.pop()) {
    if (node.type === 'object') {
      const seen = new Set<string>();
      for (const property of node.children ?? []) {
        const key = property.children?.[0];
        if (!key) continue;
        if (seen.has(key.value)) twice.push({ key: key.value, offset: key.offset });
        seen.add(key.value);
      }
    }
    todo.push(...(node.children ?? []));
  }
  return twice;
}

/** Own values only, with a null prototype: a key named `__proto__` is data like any other. */
function plainValue(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(plainValue);
  if (node.type !== 'object') return node.value;
  const object: Record<string, unknown> = Object.create(null);
  for (const property of node.children ?? []) {
    const [key, value] = property.children ?? [];
    if (key && value) object[key.value] = plainValue(value);
  }
  return object;
}

function keyOffset(node: Node): number {
  return node.parent?.type === 'property' ? node.parent.offset : node.offset;
}

class LineTable {
  readonly #starts: number[] = [0];

  constructor(text: string) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  at(offset: number): { line: number; column: number } {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
  }
}
