/** Writes a JSON value with some of its nodes damaged. The result is text: much of the damage is no JavaScript value. */
import type { Dice } from './dice.ts';

/** Texts that stand where something else belongs. */
const ODD: readonly string[] = [
  ...['null', 'true', 'false', '0', '-1', '1', '1.0', '1e400', '-1e-400', '12345678901234567890', '0.1e1', '[]', '{}'],
  ...['""', '" "', '"x"', '"__proto__"', '"\\u0000"', '"\\ud800"', '"\\udfff\\ud800"', '"\\u202e\\u200b"', '"\\r\\n"'],
  ...['[null]', '[[]]', '[{}]', '{"":null}', '{"__proto__":{"x":1}}', '{"constructor":null}', '{"toString":1}'],
  ...['-0', '{"a":null}', '{"rawJSON":"1"}', '{"__proto__":null}', '{"code":null}', '"input_required"', '"task"'],
  ...['{"$ref":"#/none"}', '{"type":["object",null]}', '["a",1,null]', '"\u{1f30d}"', '"\ud800"', '"\u2028"'],
  ...['NaN', 'undefined', '-', '01', "'x'", '{', ']', '{"a":1,}', '"unended', '// note', '\u0000', ''],
];
const PARSABLE = ODD.filter(isJson);
const KEYS = ['x', 'id', '', '__proto__', 'error', 'result', '_meta', 'method', 'jsonrpc', 'nextCursor', 'resultType'];
const DEPTHS = [20, 400, 501, 600, 5000, 20_000];

export interface Damage {
  /** How many nodes are damaged. */
  readonly nodes: number;
  /** Also with texts that no parser of JSON takes. */
  readonly unparsable: boolean;
}

export function mutate(value: unknown, dice: Dice, { nodes, unparsable }: Damage): string {
  const targets = new Set<number>();
  const size = count(value);
  for (let left = nodes; left > 0; left--) targets.add(dice.below(size));
  return new Writer(dice, targets, unparsable ? ODD : PARSABLE).write(value);
}

function count(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, item) => sum + count(item), 1);
}

class Writer {
  readonly #dice: Dice;
  readonly #targets: ReadonlySet<number>;
  readonly #odds: readonly string[];
  #at = 0;

  constructor(dice: Dice, targets: ReadonlySet<number>, odds: readonly string[]) {
    this.#dice = dice;
    this.#targets = targets;
    this.#odds = odds;
  }

  write(value: unknown): string {
    const isTarget = this.#targets.has(this.#at++);
    if (!isTarget) return this.#plain(value);
    const kind = this.#dice.weighted({ odd: 8, list: 1, nested: 0.4, twice: 1, more: 2, less: 2, long: 0.2 });
    if (kind === 'list') return `[${this.#plain(value)}]`;
    if (kind === 'nested') return nested(this.#plain(value), this.#dice);
    if (kind === 'long') return JSON.stringify('é'.repeat(1 + this.#dice.below(70_000)));
    if (kind === 'odd' || typeof value !== 'object' || value === null) return this.#odd();
    const fields = this.#fields(value);
    const at = this.#dice.below(fields.length + 1);
    if (kind === 'less') fields.splice(at, 1);
    else if (kind === 'twice' && fields[at] !== undefined)
      fields.splice(this.#dice.below(fields.length), 0, fields[at]);
    else fields.splice(at, 0, Array.isArray(value) ? this.#odd() : `"${this.#dice.pick(KEYS)}":${this.#odd()}`);
    return enclosed(value, fields);
  }

  #plain(value: unknown): string {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
    return enclosed(value, this.#fields(value));
  }

  #fields(value: object): string[] {
    if (Array.isArray(value)) return value.map(item => this.write(item));
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    return entries.map(([key, item]) => `${JSON.stringify(key)}:${this.write(item)}`);
  }

  #odd(): string {
    return this.#dice.pick(this.#odds);
  }
}

function enclosed(value: object, fields: readonly string[]): string {
  return Array.isArray(value) ? `[${fields.join(',')}]` : `{${fields.join(',')}}`;
}

function nested(text: string, dice: Dice): string {
  const depth = dice.pick(DEPTHS);
  return dice.chance(0.5)
    ? `${'['.repeat(depth)}${text}${']'.repeat(depth)}`
    : `${'{"a":'.repeat(depth)}${text}${'}'.repeat(depth)}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
