/**
 * What is plainly wrong with the arguments of a tool, before its server is asked. A model that never saw the schema gets it
 * back with the mistake. Only what no reading of the schema allows is called wrong: the server judges the rest. Pure.
 */
import { isRawNumber, numberIn, parseKeepingDigits } from '../../base/json/exact-json.ts';
import { isObject } from '../../base/json/is-object.ts';

export function problemWith(args: unknown, schema: Readonly<Record<string, unknown>>): string | undefined {
  if (!isObject(args)) return `arguments must be an object, and is ${kindOf(args)}`;
  const { required, properties, additionalProperties, patternProperties } = schema;
  const known = isObject(properties) ? properties : {};
  const missing = (Array.isArray(required) ? required : []).filter(
    name => typeof name === 'string' && !Object.hasOwn(args, name),
  );
  if (missing.length > 0) return `missing: ${missing.join(', ')}`;
  for (const [name, value] of Object.entries(args)) {
    if (Object.hasOwn(known, name)) {
      const wanted = typesOf(known[name]);
      if (wanted && !wanted.some(type => isOfType(value, type)))
        return `${name} must be ${wanted.join(' or ')}, and is ${kindOf(value)}`;
    } else if (additionalProperties === false && patternProperties === undefined) return `${name} is not known`;
  }
  return undefined;
}

/** Arguments as models write them: an object, nothing, or an object in a text. */
export function readArguments(written: unknown): unknown {
  if (written === undefined || written === null) return {};
  if (typeof written !== 'string') return written;
  try {
    return written.trim() === '' ? {} : parseKeepingDigits(written);
  } catch {
    return written;
  }
}

/** Undefined where the schema names none. */
function typesOf(schema: unknown): readonly string[] | undefined {
  if (!isObject(schema) || schema.nullable === true) return undefined;
  const types = [schema.type].flat();
  return types.length > 0 && types.every(type => typeof type === 'string' && TYPES.has(type))
    ? (types as string[])
    : undefined;
}

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(numberIn(value));
  return kindOf(value) === type;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (isRawNumber(value)) return 'number';
  return Array.isArray(value) ? 'array' : typeof value;
}
