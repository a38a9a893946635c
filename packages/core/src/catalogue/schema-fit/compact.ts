/** A schema above its budget, made smaller in named steps: the least harmful first, and only as far as it takes. */
import { isObject } from '../../base/json/is-object.ts';
import type { SchemaRules } from '../../config/schema/profile-schema.ts';
import { adapt } from './adapt.ts';
import { type ChangeName, Changes } from './change.ts';
import { type JsonSchema, mapChildren, without } from './json-schema.ts';
import { ANY_ARGUMENTS, bytesOf } from './limits.ts';
import { resolveReference } from './references.ts';

type Reduce = (schema: JsonSchema) => JsonSchema;

/** Objects deeper than this lose their properties. */
const KEPT_LEVELS = 3;

const STEPS: readonly (readonly [ChangeName, Reduce])[] = [
  ['compact-descriptions', schema => withoutTexts(schema, 0)],
  ['compact-definitions', schema => withoutDefinitions(schema, schema)],
  ['compact-depth', schema => collapsed(schema, 0)],
  ['compact-alternatives', withoutAlternatives],
];

export function compact(schema: JsonSchema, budgetBytes: number, rules: SchemaRules, changes: Changes): JsonSchema {
  let small = schema;
  for (const [name, reduce] of STEPS) {
    if (bytesOf(JSON.stringify(small)) <= budgetBytes) return small;
    const smaller = reduce(small);
    if (smaller !== small) changes.add(undefined, name);
    // What a step leaves must still be understood.
    small = adapt(smaller, rules, new Changes());
  }
  if (bytesOf(JSON.stringify(small)) <= budgetBytes) return small;
  changes.add(undefined, 'replaced', `it is larger than ${budgetBytes} bytes`);
  return adapt(ANY_ARGUMENTS, rules, new Changes());
}

/** What the arguments themselves are for stays; what is further inside does not. */
function withoutTexts(schema: JsonSchema, depth: number): JsonSchema {
  const bare =
    depth > 1
      ? drop(schema, 'description', 'title', 'examples', 'default', '$comment')
      : drop(schema, 'title', '$comment');
  return mapChildren(bare, child => (isObject(child) ? withoutTexts(child, depth + 1) : child));
}

/** A reference becomes what can be said of it in a word. */
function withoutDefinitions(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const bare = schema === root ? drop(schema, '$defs', 'definitions') : schema;
  if (typeof bare.$ref !== 'string') {
    return mapChildren(bare, child => (isObject(child) ? withoutDefinitions(child, root) : child));
  }
  const target = resolveReference(root, bare.$ref);
  const type = isObject(target) ? target.type : undefined;
  return { ...without(bare, '$ref'), ...(type === undefined ? {} : { type }) };
}

function collapsed(schema: JsonSchema, depth: number): JsonSchema {
  const inner =
    depth >= KEPT_LEVELS ? drop(schema, 'properties', 'required', 'additionalProperties', 'patternProperties') : schema;
  return mapChildren(inner, child => (isObject(child) ? collapsed(child, depth + 1) : child));
}

function withoutAlternatives(schema: JsonSchema): JsonSchema {
  const bare = drop(schema, 'anyOf', 'oneOf', 'allOf', 'not', 'if', 'then', 'else');
  return mapChildren(bare, child => (isObject(child) ? withoutAlternatives(child) : child));
}

function drop(schema: JsonSchema, ...keys: readonly string[]): JsonSchema {
  return keys.some(key => key in schema) ? without(schema, ...keys) : schema;
}
