/** The keywords about values of one type: objects, lists, strings and numbers. Pure. */
import { isObject } from '../../base/json/is-object.ts';
import type { JsonSchema } from '../../catalogue/schema-fit/json-schema.ts';
import type { Judge } from './judge.ts';
import { both, isMisfit, nameText, type ValuePlace, type Verdict } from './verdict.ts';

type Place = ValuePlace | undefined;

/** What these say is not looked at: they run a regular expression, or depend on what other keywords saw. */
const NOT_JUDGED_OF_OBJECTS = ['patternProperties', 'unevaluatedProperties', 'dependentSchemas', 'dependencies'];

export function judgeObject(judge: Judge, schema: JsonSchema, value: JsonSchema, at: Place): Verdict {
  const missing = missingName(judge, schema, value);
  if (missing !== undefined) return { at, must: `have ${nameText(missing)}` };
  const names = Object.keys(value);
  const { minProperties, maxProperties, properties, additionalProperties, propertyNames } = schema;
  const size = sized(names.length, { least: minProperties, most: maxProperties, what: 'keys', at });
  if (isMisfit(size)) return size;
  let verdict: Verdict = NOT_JUDGED_OF_OBJECTS.some(key => schema[key] !== undefined) ? 'unknown' : 'fits';
  const known = isObject(properties) ? properties : {};
  // Which keys are additional depends on the patterns, which nobody looks at.
  const additional = schema.patternProperties === undefined ? additionalProperties : undefined;
  judge.spend(names.length);
  for (const name of names) {
    if (propertyNames !== undefined) verdict = both(verdict, judge.judge(propertyNames, name, at));
    const own = Object.hasOwn(known, name) ? known[name] : additional;
    if (own === false && own === additional && !Object.hasOwn(known, name))
      return { at, must: `not have ${nameText(name)}` };
    if (own !== undefined) verdict = both(verdict, judge.judge(own, value[name], { above: at, key: name }));
    if (isMisfit(verdict)) return verdict;
  }
  return verdict;
}

function missingName(judge: Judge, schema: JsonSchema, value: JsonSchema): string | undefined {
  const lacks = (names: unknown): string | undefined => {
    if (!Array.isArray(names)) return undefined;
    judge.spend(names.length);
    return names.find(name => typeof name === 'string' && !Object.hasOwn(value, name));
  };
  const missing = lacks(schema.required);
  if (missing !== undefined || !isObject(schema.dependentRequired)) return missing;
  for (const [name, names] of Object.entries(schema.dependentRequired)) {
    judge.spend(1);
    const also = Object.hasOwn(value, name) ? lacks(names) : undefined;
    if (also !== undefined) return also;
  }
  return undefined;
}

export function judgeList(judge: Judge, schema: JsonSchema, value: readonly unknown[], at: Place): Verdict {
  const { minItems, maxItems, items, prefixItems, additionalItems, uniqueItems } = schema;
  const size = sized(value.length, { least: minItems, most: maxItems, what: 'items', at });
  if (isMisfit(size)) return size;
  let verdict: Verdict = schema.unevaluatedItems === undefined ? 'fits' : 'unknown';
  // In older drafts `items` was a list, and `additionalItems` stood for the rest.
  const first: readonly unknown[] = Array.isArray(items) ? items : Array.isArray(prefixItems) ? prefixItems : [];
  const rest = Array.isArray(items) ? additionalItems : items;
  for (const [index, item] of value.entries()) {
    const own = index < first.length ? first[index] : rest;
    if (own === undefined) break;
    verdict = both(verdict, judge.judge(own, item, { above: at, key: index }));
    if (isMisfit(verdict)) return verdict;
  }
  if (uniqueItems === true && holdsOneTwice(judge, value)) return { at, must: 'hold no item twice' };
  return schema.contains === undefined ? verdict : both(verdict, judgeContained(judge, schema, value, at));
}

function holdsOneTwice(judge: Judge, value: readonly unknown[]): boolean {
  judge.spend(value.length);
  return new Set(value.map(item => judge.written(item))).size < value.length;
}

function judgeContained(judge: Judge, schema: JsonSchema, value: readonly unknown[], at: Place): Verdict {
  const { contains, minContains, maxContains } = schema;
  const verdicts = value.map(item => judge.judge(contains, item, at));
  const fitting = verdicts.filter(verdict => verdict === 'fits').length;
  const possible = verdicts.filter(verdict => !isMisfit(verdict)).length;
  const what = 'items of a kind that the schema names';
  const enough = sized(possible, { least: minContains ?? 1, what, at });
  const few = sized(fitting, { most: maxContains, what, at });
  return both(enough, both(few, fitting === possible ? 'fits' : 'unknown'));
}

interface Bounds {
  readonly least?: unknown;
  readonly most?: unknown;
  readonly what: string;
  readonly at: Place;
}

function sized(size: number, { least, most, what, at }: Bounds): Verdict {
  if (typeof least === 'number' && size < least) return { at, must: `have at least ${least} ${what}, and has ${size}` };
  if (typeof most === 'number' && size > most) return { at, must: `have at most ${most} ${what}, and has ${size}` };
  return 'fits';
}

export function judgeString(
  judge: Judge,
  { minLength, maxLength, pattern }: JsonSchema,
  value: string,
  at: Place,
): Verdict {
  const bounded = typeof minLength === 'number' || typeof maxLength === 'number';
  const size = bounded
    ? sized(charactersIn(judge, value), { least: minLength, most: maxLength, what: 'characters', at })
    : 'fits';
  return both(size, pattern === undefined ? 'fits' : 'unknown');
}

/** JSON Schema counts characters, not the halves that JavaScript stores some of them in. */
function charactersIn(judge: Judge, text: string): number {
  judge.spend(text.length / 16);
  let count = 0;
  for (const _ of text) count++;
  return count;
}

export function judgeNumber(schema: JsonSchema, value: number, at: Place): Verdict {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (typeof minimum === 'number' && value < minimum) return { at, must: `be at least ${minimum}` };
  if (typeof maximum === 'number' && value > maximum) return { at, must: `be at most ${maximum}` };
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum)
    return { at, must: `be above ${exclusiveMinimum}` };
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum)
    return { at, must: `be below ${exclusiveMaximum}` };
  if (typeof multipleOf === 'number' && multipleOf > 0 && !isMultiple(value, multipleOf))
    return { at, must: `be a multiple of ${multipleOf}` };
  return 'fits';
}

/** 0.3 is a multiple of 0.1, though not for floating point numbers. */
function isMultiple(value: number, of: number): boolean {
  const times = value / of;
  return Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times));
}
