/**
 * The schema of a tool as a model or a client gets it. Pure, and done twice it changes nothing more. What cannot be used at
 * all becomes a schema that takes any arguments: one bad schema must not cost a whole request.
 */
import { isObject } from '../../base/json/is-object.ts';
import type { SchemaRules } from '../../config/schema/profile-schema.ts';
import { adapt } from './adapt.ts';
import { below, Changes, type SchemaChange } from './change.ts';
import { cleanSchema } from './clean-schema.ts';
import { compact } from './compact.ts';
import { flattenRoot } from './flatten-root.ts';
import { define, type JsonSchema } from './json-schema.ts';
import { ANY_ARGUMENTS, bytesOf, jsonOf, MAX_SCHEMA_BYTES } from './limits.ts';
import { settleReferences } from './references.ts';
import { madeStrict } from './strict.ts';
import { type Inspection, inspect } from './well-formed.ts';

export interface FittedSchema {
  readonly schema: JsonSchema;
  readonly changes: readonly SchemaChange[];
  /** The model can be held to it to the letter, and nothing is lost by that. */
  readonly strict: boolean;
}

/** Without rules it is only made sure that it is a schema, of an object, that hides nothing. */
export function fitSchema(schema: unknown, rules?: SchemaRules, found: Inspection = inspect(schema)): FittedSchema {
  const changes = new Changes();
  let fitted = usable(schema, found, changes);
  if (!rules) return { schema: fitted.schema, changes: changes.list, strict: false };
  if (fitted.references) {
    fitted = { ...fitted, schema: settleReferences(fitted.schema, rules.references ?? 'keep', changes) };
  }
  const flat = rules.root_combinators === false ? flattenRoot(fitted.schema, changes) : fitted.schema;
  const adapted = adapt(flat, rules, changes);
  const budget = Math.min(rules.budget_bytes ?? MAX_SCHEMA_BYTES, MAX_SCHEMA_BYTES);
  // Only what references name makes a schema much larger than it was.
  const isSmall = !fitted.references && fitted.size * 4 < budget;
  const small = isSmall ? adapted : compact(adapted, budget, rules, changes);
  const strict = rules.strict ? madeStrict(small, changes) : undefined;
  return { schema: strict ?? small, changes: changes.list, strict: strict !== undefined };
}

interface Usable {
  readonly schema: JsonSchema;
  readonly references: boolean;
  /** About how many characters of JSON. */
  readonly size: number;
}

function usable(schema: unknown, { problem: wrong, unclean, references, size }: Inspection, changes: Changes): Usable {
  const problem = wrong ?? (size * LARGEST_FACTOR > MAX_SCHEMA_BYTES ? whyTooMuch(jsonOf(schema)) : undefined);
  if (problem !== undefined) {
    changes.add(undefined, 'replaced', problem);
    return { schema: ANY_ARGUMENTS, references: false, size: 0 };
  }
  const clean = withoutBooleans((unclean ? cleanSchema(schema, changes) : schema) as JsonSchema, changes);
  if (clean.type === 'object') return { schema: clean, references, size };
  changes.add(undefined, 'root-typed');
  const { type: _, ...rest } = clean;
  return { schema: { type: 'object', ...rest }, references, size };
}

/** Official clients refuse a whole list for one property of a root that is `true` or `false`, which every draft allows. */
function withoutBooleans(root: JsonSchema, changes: Changes): JsonSchema {
  const { properties } = root;
  if (!isObject(properties)) return root;
  let written: Record<string, unknown> | undefined;
  for (const name in properties) {
    if (typeof properties[name] !== 'boolean') continue;
    written ??= { ...properties };
    define(written, name, properties[name] ? {} : { not: {} });
    changes.add(below(undefined, 'properties', name), 'keyword-rewritten');
  }
  return written ? { ...root, properties: written } : root;
}

/** As many bytes as one character of a text can take in JSON: only what may be too large is measured. */
const LARGEST_FACTOR = 6;

function whyTooMuch(json: string | undefined): string | undefined {
  if (json === undefined) return 'it is nested too deeply';
  return bytesOf(json) > MAX_SCHEMA_BYTES ? 'it is larger than 64 KiB' : undefined;
}
