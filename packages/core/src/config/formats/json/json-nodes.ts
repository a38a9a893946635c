/** Where things stand in a JSON text. Only what lies on the way to a path is looked at closely: the rest may be large. */
import { type JSONVisitor, visit } from 'jsonc-parser';
import type { Span } from '../comma-list.ts';

/** A key with its value, or an item of a list. */
export interface JsonMember {
  readonly whole: Span;
  readonly value: Span;
  /** Undefined in lists. */
  readonly name: string | undefined;
}

export function rootOf(text: string): JsonMember {
  return valuesIn(text, 0)[0] ?? { whole: NOWHERE, value: NOWHERE, name: undefined };
}

export function membersOf(text: string, { from, to }: Span): JsonMember[] {
  return valuesIn(text.slice(from, to), 1).map(({ whole, value, name }) => {
    return { whole: moved(whole, from), value: moved(value, from), name };
  });
}

export function findMember(text: string, path: readonly PropertyKey[]): JsonMember | undefined {
  let member: JsonMember | undefined = rootOf(text);
  for (const step of path) member = member && memberAt(text, member, step);
  return member;
}

/**
 * Finds the offset of what stands at a path, or of the nearest thing around it that exists. What was looked at once is kept:
 * whoever asks for every server of a long file goes through the file once, not once for each.
 */
export function offsetsInJson(text: string): (path: readonly PropertyKey[]) => number {
  let root: JsonMember | undefined;
  const known = new Map<number, ReadonlyMap<PropertyKey, JsonMember>>();
  const inside = ({ value }: JsonMember): ReadonlyMap<PropertyKey, JsonMember> => {
    const members = known.get(value.from) ?? bySteps(text, value);
    known.set(value.from, members);
    return members;
  };
  return path => {
    root ??= rootOf(text);
    let member = root;
    for (const step of path) {
      const next = inside(member).get(step);
      if (!next) break;
      member = next;
    }
    return member.whole.from;
  };
}

/** Of two with one name it is the first that is found. */
function bySteps(text: string, value: Span): Map<PropertyKey, JsonMember> {
  const members = membersOf(text, value);
  if (text[value.from] === '[') return new Map(members.entries());
  return new Map(members.toReversed().map(member => [member.name ?? '', member]));
}

const NOWHERE: Span = { from: 0, to: 0 };

function memberAt(text: string, { value }: JsonMember, step: PropertyKey): JsonMember | undefined {
  const members = membersOf(text, value);
  if (typeof step === 'number') return text[value.from] === '[' ? members[step] : undefined;
  return members.find(member => member.name === step);
}

/** The values that stand so deep in a text. */
function valuesIn(text: string, wantedDepth: 0 | 1): JsonMember[] {
  const members: JsonMember[] = [];
  let depth = 0;
  let key: { readonly name: string; readonly from: number } | undefined;
  let begin = 0;
  const add = (from: number, to: number): void => {
    members.push({ whole: { from: key?.from ?? from, to }, value: { from, to }, name: key?.name });
    key = undefined;
  };
  const open = (offset: number): boolean => {
    if (depth === wantedDepth) begin = offset;
    depth++;
    return depth <= wantedDepth;
  };
  const close = (offset: number): void => {
    depth--;
    if (depth === wantedDepth) add(begin, offset + 1);
  };
  const visitor: JSONVisitor = {
    onObjectBegin: open,
    onArrayBegin: open,
    onObjectEnd: close,
    onArrayEnd: close,
    onObjectProperty: (name, offset) => {
      if (depth === wantedDepth) key = { name, from: offset };
    },
    onLiteralValue: (_value, offset, length) => {
      if (depth === wantedDepth) add(offset, offset + length);
    },
  };
  visit(text, visitor, { allowTrailingComma: true });
  return members;
}

function moved({ from, to }: Span, by: number): Span {
  return { from: from + by, to: to + by };
}
