/** Takes JSON with comments apart: its value, every syntax error and every key that stands twice. */
import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode, visit } from 'jsonc-parser';
import type { Problem } from '../problem.ts';
import type { Path } from './document.ts';
import type { Parsed } from './edit-text.ts';
import { LineTable } from './line-table.ts';
import { deepProblem, duplicateProblem, MAX_DEPTH, syntaxProblem, unfitProblem } from './problems.ts';

/** A tree takes many times the memory of its text. */
export const MAX_TREE_LENGTH = 32 * 2 ** 20;

/** After so many the rest are echoes of the first. */
const MAX_ERRORS = 20;

export function parseJsonTree(file: string, text: string): Parsed<Node> {
  const unfit = unfitProblem(file, text, MAX_TREE_LENGTH);
  if (unfit) return { ok: false, problems: [unfit] };
  try {
    const errors = firstErrors(text);
    const tree = parseTree(text, [], { allowTrailingComma: true });
    if (errors.length > 0 || !tree) return { ok: false, problems: syntaxProblems(file, text, errors) };
    return treeValue(file, text, tree);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { ok: false, problems: [deepProblem(file)] };
  }
}

/** The offset of what stands at a path, or of the nearest thing around it that exists. */
export function placeInJson(tree: Node, path: readonly PropertyKey[]): number {
  for (let length = path.length; length >= 0; length--) {
    const node = findNodeAtLocation(tree, path.slice(0, length) as (string | number)[]);
    if (node) return node.parent?.type === 'property' ? node.parent.offset : node.offset;
  }
  return 0;
}

class EnoughErrors extends Error {}

function firstErrors(text: string): ParseError[] {
  const errors: ParseError[] = [];
  const onError = (error: number, offset: number, length: number): void => {
    if (errors.push({ error, offset, length }) >= MAX_ERRORS) throw new EnoughErrors();
  };
  try {
    visit(text, { onError }, { allowTrailingComma: true });
  } catch (error) {
    if (!(error instanceof EnoughErrors)) throw error;
  }
  return errors;
}

function syntaxProblems(file: string, text: string, errors: readonly ParseError[]): Problem[] {
  const places = new LineTable(text);
  return errors.map(({ error, offset }) => {
    const found = text.slice(offset, offset + 20).split(/\r?\n/)[0];
    const words = printParseErrorCode(error).replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
    return syntaxProblem(file, places.at(offset), 'JSON', `${words} at ${found ? JSON.stringify(found) : 'the end'}`);
  });
}

/** Objects get a null prototype: a key named `__proto__` is data like any other. */
function treeValue(file: string, text: string, tree: Node): Parsed<Node> {
  const places = new LineTable(text);
  const problems: Problem[] = [];
  let tooDeep: Node | undefined;
  const valueOf = (node: Node, path: Path): unknown => {
    if (path.length >= MAX_DEPTH && node.children) tooDeep ??= node;
    if (tooDeep) return undefined;
    if (node.type === 'array') return (node.children ?? []).map((item, index) => valueOf(item, [...path, index]));
    if (node.type !== 'object') return node.value;
    const object: Record<string, unknown> = Object.create(null);
    const first = new Map<string, Node>();
    for (const { children: [key, value] = [] } of node.children ?? []) {
      if (!key || !value) continue;
      const name: string = key.value;
      const earlier = first.get(name);
      if (earlier) {
        const both = { first: places.at(earlier.offset), second: places.at(key.offset) };
        problems.push(duplicateProblem(file, [...path, name], both));
      } else first.set(name, key);
      object[name] = valueOf(value, [...path, name]);
    }
    return object;
  };
  const value = valueOf(tree, []);
  if (tooDeep) return { ok: false, problems: [deepProblem(file, places.at(tooDeep.offset))] };
  return problems.length > 0 ? { ok: false, problems } : { ok: true, tree, value };
}
