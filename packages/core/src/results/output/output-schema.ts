/** Says why structured output does not fit the `outputSchema` of its tool. A schema that cannot be used rules out nothing. */
import { isObject } from '../../base/json/is-object.ts';
import { compiles } from '../../catalogue/schema-fit/compiles.ts';
import type { JsonSchema } from '../../catalogue/schema-fit/json-schema.ts';
import { inspect } from '../../catalogue/schema-fit/well-formed.ts';
import { misfitOf } from './judge.ts';
import { misfitText } from './verdict.ts';

/** Far more than a person writes; a larger schema is not used. */
const LARGEST_SCHEMA_CHARS = 200_000;

/** The schema where it can be used: well-formed, neither deep nor large, and with references to itself only. */
export function outputSchemaOf(schema: unknown): JsonSchema | undefined {
  if (!isObject(schema)) return undefined;
  // As a property: structured output may be any JSON value, arguments only an object.
  const { problem, size } = inspect({ type: 'object', properties: { output: schema } });
  return problem === undefined && size <= LARGEST_SCHEMA_CHARS && compiles(schema) ? schema : undefined;
}

/** As words; undefined where the output fits, or where it would take too long to say. */
export function outputProblem(output: unknown, schema: JsonSchema): string | undefined {
  if (output === undefined) return 'there is none';
  const misfit = misfitOf(output, schema);
  return misfit && misfitText(misfit);
}
