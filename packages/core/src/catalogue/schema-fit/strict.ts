/**
 * Strict mode, where it takes nothing away: a model that is held to a schema to the letter must send every property, so only
 * a schema that requires all of them anyway can be strict. A property that may be left out would come as null, and few
 * servers expect that.
 */
import { isObject } from '../../base/json/is-object.ts';
import { below, type Changes, type Place } from './change.ts';
import { type JsonSchema, mapChildren } from './json-schema.ts';
import { judgeOpenAiStrict } from './judges/openai-strict.ts';

/** The schema with nothing added but that further properties are ruled out, and all there are required; undefined where it cannot be strict. */
export function madeStrict(schema: JsonSchema, changes: Changes): JsonSchema | undefined {
  if (!requiresAll(schema)) return undefined;
  const places: Place[] = [];
  const closed = close(schema, undefined, place => places.push(place as Place));
  if (judgeOpenAiStrict(closed).length > 0) return undefined;
  for (const place of places) changes.add(place, 'closed-for-strict');
  return closed;
}

/** Most schemas cannot be strict for this reason: looked at first, since judging the whole takes longer. */
function requiresAll({ properties, required, additionalProperties }: JsonSchema): boolean {
  if (!isObject(properties)) return false;
  const names = Object.keys(properties);
  return additionalProperties !== true && names.length <= (Array.isArray(required) ? required.length : 0);
}

function close(schema: JsonSchema, at: Place | undefined, onClosed: (at: Place | undefined) => void): JsonSchema {
  const isOpen = schema.type === 'object' && schema.additionalProperties === undefined && isObject(schema.properties);
  if (isOpen) onClosed(at);
  const closed = isOpen ? { ...schema, additionalProperties: false } : schema;
  // Also where there is nothing to require the list has to be there.
  const listed = isObject(schema.properties) && schema.required === undefined ? { ...closed, required: [] } : closed;
  return mapChildren(listed, (child, key, name) =>
    isObject(child) ? close(child, below(at, key, name), onClosed) : child,
  );
}
