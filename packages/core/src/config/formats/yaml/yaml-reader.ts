/** Walks what the YAML parser made of a text: values with aliases and merge keys resolved, places, and what is wrong. */
import { type Alias, isAlias, isMap, isScalar, type Node, Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Problem } from '../../problem.ts';
import { isTable, type Table } from '../changes.ts';
import type { DuplicateKey, Path, Place } from '../document.ts';
import { LineTable } from '../line-table.ts';
import { deepProblem, duplicateProblem, MAX_DEPTH, syntaxProblem, together } from '../problems.ts';
import {
  collectionNode,
  itemEntry,
  itemTokens,
  pairEntry,
  pairStart,
  scalarNode,
  type YamlPair,
} from './yaml-places.ts';
import type { YamlEntry, YamlNode } from './yaml-tree.ts';

/** Values that may be there only because an alias repeats them: nested aliases could make billions of a few lines. */
const MAX_REPEATED = 10_000;

interface Read {
  readonly value: unknown;
  readonly node: YamlNode;
  /** How many values there are in it, itself included. */
  readonly size: number;
}

export class YamlReader {
  readonly problems: Problem[] = [];
  readonly duplicates: DuplicateKey[] = [];
  readonly #file: string;
  readonly #text: string;
  /** An anchor whose value is still being read is there with nothing. */
  readonly #anchors = new Map<string, Read | undefined>();
  readonly #lists = new WeakSet();
  #places: LineTable | undefined;
  #repeated = 0;
  #stopped = false;

  constructor(file: string, text: string) {
    this.#file = file;
    this.#text = text;
  }

  read(node: Node | null | undefined, path: Path): Read {
    if (!node || this.#stopped) return { value: null, node: { kind: 'none', from: 0, to: 0 }, size: 1 };
    if (isAlias(node)) return this.#readAlias(node);
    if (node.anchor) this.#anchors.set(node.anchor, undefined);
    const read = this.#readContent(node as Scalar | YAMLMap | YAMLSeq, path);
    if (node.anchor) this.#anchors.set(node.anchor, read);
    return read;
  }

  #readContent(node: Scalar | YAMLMap | YAMLSeq, path: Path): Read {
    if (isScalar(node)) return { value: node.value, node: scalarNode(this.#text, node), size: 1 };
    if (path.length >= MAX_DEPTH) {
      this.#stop(deepProblem(this.#file, this.#placeOf(node)));
      return { value: null, node: { kind: 'none', from: 0, to: 0 }, size: 1 };
    }
    return isMap(node) ? this.#readMap(node, path) : this.#readList(node, path);
  }

  #readList(list: YAMLSeq, path: Path): Read {
    const tokens = itemTokens(list);
    const entries: YamlEntry[] = [];
    let size = 1;
    const value = list.items.map((item, index) => {
      const read = this.read(item as Node, [...path, index]);
      entries.push(itemEntry(tokens[index], read.node));
      size += read.size;
      return read.value;
    });
    return { value, node: collectionNode(this.#text, list, entries), size };
  }

  #readMap(map: YAMLMap, path: Path): Read {
    const value: Table = Object.create(null);
    const merged: Table = Object.create(null);
    const entries: YamlEntry[] = [];
    const first = new Map<string, Place>();
    let size = 1;
    for (const pair of map.items as YamlPair[]) {
      const name = this.#nameOf(pair, path);
      const read = this.read(pair.value, [...path, name]);
      size += read.size;
      const isMerge = isScalar(pair.key) && pair.key.type === Scalar.PLAIN && name === '<<';
      if (isMerge) this.#merge(merged, read.value, pair);
      else {
        const isTwice = this.#noteTwice(first, name, pair, path);
        value[name] = isTwice ? together(this.#lists, value[name], read.value) : read.value;
      }
      entries.push(pairEntry(pair, isMerge ? undefined : name, read.node));
    }
    for (const [name, inherited] of Object.entries(merged)) if (!Object.hasOwn(value, name)) value[name] = inherited;
    return { value, node: collectionNode(this.#text, map, entries), size };
  }

  #readAlias(alias: Alias): Read {
    const [from, to] = alias.range ?? [0, 0];
    const anchored = this.#anchors.get(alias.source);
    if (!anchored) {
      const reason = this.#anchors.has(alias.source) ? 'stands inside what it repeats' : 'has no anchor before it';
      this.#stop(syntaxProblem(this.#file, this.#placeOf(alias), 'YAML', `the alias *${alias.source} ${reason}`));
      return { value: null, node: { kind: 'none', from, to }, size: 1 };
    }
    this.#repeated += anchored.size;
    if (this.#repeated > MAX_REPEATED) {
      const what = `aliases repeat more than ${MAX_REPEATED} values`;
      this.#stop(syntaxProblem(this.#file, this.#placeOf(alias), 'YAML', what));
    }
    return { ...anchored, node: { kind: 'alias', from, to, target: anchored.node } };
  }

  /** Of several maps the first that has a key gives its value. */
  #merge(merged: Table, source: unknown, { key }: YamlPair): void {
    for (const map of Array.isArray(source) ? source : [source]) {
      if (isTable(map)) Object.assign(merged, { ...map, ...merged });
      else this.problems.push(syntaxProblem(this.#file, this.#placeOf(key), 'YAML', 'a merge key needs a map'));
    }
  }

  #nameOf({ key }: YamlPair, path: Path): string {
    if (!key) return '';
    const { value } = this.read(key, path);
    if (typeof value !== 'object' || value === null)
      return isScalar(key) ? (key.source ?? String(value)) : String(value);
    this.#stop(syntaxProblem(this.#file, this.#placeOf(key), 'YAML', 'a key must be a text, not a list or a map'));
    return '';
  }

  #noteTwice(first: Map<string, Place>, name: string, pair: YamlPair, path: Path): boolean {
    this.#places ??= new LineTable(this.#text);
    const second = this.#places.at(pairStart(pair));
    const earlier = first.get(name);
    if (!earlier) first.set(name, second);
    else {
      const problem = duplicateProblem(this.#file, [...path, name], { first: earlier, second });
      this.duplicates.push({ path: [...path, name], problem });
    }
    return earlier !== undefined;
  }

  /** Nothing after such a problem is worth reading. */
  #stop(problem: Problem): void {
    if (!this.#stopped) this.problems.splice(0, this.problems.length, problem);
    this.#stopped = true;
  }

  #placeOf(node: Node | null): Place {
    this.#places ??= new LineTable(this.#text);
    return this.#places.at(node?.range?.[0] ?? 0);
  }
}
