/**
 * Compares a value with a JSON Schema. Both are a stranger's: no code is made of the schema, no regular expression of it runs,
 * and the steps are counted. What is left out (`pattern`, `patternProperties`, `unevaluated…`) makes a verdict unknown, never
 * a misfit. Takes schemas that `outputSchemaOf` let through. Pure.
 */
import { canonicalJson } from '../../base/json/canonical-json.ts';
import { isObject } from '../../base/json/is-object.ts';
import type { JsonSchema } from '../../catalogue/schema-fit/json-schema.ts';
import { resolveReference } from '../../catalogue/schema-fit/references.ts';
import { combined } from './combined.ts';
import { judgeList, judgeNumber, judgeObject, judgeString } from './judge-values.ts';
import { both, isMisfit, kindText, type Misfit, typeText, type ValuePlace, type Verdict } from './verdict.ts';

/** Enough for some megabytes of content; a schema that takes more steps is not worth the wait. */
const MOST_STEPS = 500_000;
/** References may lead in a circle without entering the value. */
const MOST_LEVELS = 1000;
/** Characters of written-out JSON that count as one step. */
const CHARS_A_STEP = 16;

/** The steps are used up: nobody can say whether the value fits. */
class Exhausted extends Error {}

/** Undefined where the value fits, and where nobody can say. */
export function misfitOf(value: unknown, schema: JsonSchema): Misfit | undefined {
  try {
    const verdict = new Judge(schema).judge(schema, value, undefined);
    return isMisfit(verdict) ? verdict : undefined;
  } catch (error) {
    if (error instanceof Exhausted) return undefined;
    throw error;
  }
}

export class Judge {
  readonly #root: JsonSchema;
  /** Up to draft 7, nothing counts beside a reference. */
  readonly #referencesAlone: boolean;
  readonly #written = new WeakMap<object, string>();
  #steps = MOST_STEPS;
  #levels = MOST_LEVELS;

  constructor(root: JsonSchema) {
    this.#root = root;
    this.#referencesAlone = typeof root.$schema === 'string' && root.$schema.includes('draft-0');
  }

  judge(schema: unknown, value: unknown, at: ValuePlace | undefined): Verdict {
    this.spend(1);
    if (schema === false) return { at, must: 'not be there' };
    if (!isObject(schema)) return 'fits';
    if (this.#levels === 0) return 'unknown';
    this.#levels--;
    const verdict = this.#node(schema, value, at);
    this.#levels++;
    return verdict;
  }

  spend(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) throw new Exhausted();
  }

  /** The same text for equal values, whatever the order of their keys. */
  written(value: unknown): string {
    if (typeof value !== 'object' || value === null) return canonicalJson(value);
    const known = this.#written.get(value);
    if (known !== undefined) return known;
    const text = canonicalJson(value);
    this.spend(text.length / CHARS_A_STEP);
    this.#written.set(value, text);
    return text;
  }

  #node(schema: JsonSchema, value: unknown, at: ValuePlace | undefined): Verdict {
    const { $ref } = schema;
    const referred = typeof $ref === 'string' ? this.#referred($ref, value, at) : 'fits';
    if (isMisfit(referred) || (typeof $ref === 'string' && this.#referencesAlone)) return referred;
    if (value === null && schema.nullable === true) return 'fits';
    const plain = typeMisfit(schema, value, at) ?? this.#valueMisfit(schema, value, at);
    if (plain) return plain;
    const inner = both(referred, this.#byType(schema, value, at));
    return isMisfit(inner) ? inner : both(inner, combined(this, schema, value, at));
  }

  #byType(schema: JsonSchema, value: unknown, at: ValuePlace | undefined): Verdict {
    if (typeof value === 'string') return judgeString(this, schema, value, at);
    if (typeof value === 'number') return judgeNumber(schema, value, at);
    if (Array.isArray(value)) return judgeList(this, schema, value, at);
    return isObject(value) ? judgeObject(this, schema, value, at) : 'fits';
  }

  #referred(reference: string, value: unknown, at: ValuePlace | undefined): Verdict {
    const target = resolveReference(this.#root, reference);
    return target === undefined ? 'unknown' : this.judge(target, value, at);
  }

  #valueMisfit(schema: JsonSchema, value: unknown, at: ValuePlace | undefined): Misfit | undefined {
    if (Object.hasOwn(schema, 'const') && this.written(schema.const) !== this.written(value))
      return { at, must: 'be the one value that the schema names' };
    if (!Array.isArray(schema.enum)) return undefined;
    this.spend(schema.enum.length);
    const text = this.written(value);
    const named = schema.enum.some(one => one === value || this.written(one) === text);
    return named ? undefined : { at, must: `be one of the ${schema.enum.length} values that the schema names` };
  }
}

function typeMisfit({ type }: JsonSchema, value: unknown, at: ValuePlace | undefined): Misfit | undefined {
  if (type === undefined) return undefined;
  const types = (Array.isArray(type) ? type : [type]).filter(one => typeof one === 'string');
  if (types.some(one => isOfType(value, one))) return undefined;
  return { at, must: `be ${types.map(typeText).join(' or ')}`, is: kindText(value) };
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  return type === 'object' ? isObject(value) : typeof value === type;
}
