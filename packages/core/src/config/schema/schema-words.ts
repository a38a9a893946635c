/** The words that the schema of a config is written in: each key with what it is for. */
import { en } from 'zod/locales';
import * as z from 'zod/mini';
import { VARIABLE_NAME } from './server-words.ts';

/**
 * Compiling a schema pays off after some thousand values; a config has far fewer, and a command is over before.
 */
z.config({ jitless: true, ...en() });

/** A key that may be left out, with what it is for. */
export function may<Schema extends z.ZodMiniType>(schema: Schema, purpose: string): z.ZodMiniOptional<Schema> {
  return must(z.optional(schema), purpose);
}

/** A key that must be there. Noted in the registry: `z.describe` would make every schema twice, at every start. */
export function must<Schema extends z.ZodMiniType>(schema: Schema, purpose: string): Schema {
  z.globalRegistry.add(schema, { description: purpose });
  return schema;
}

export const milliseconds = z.int().check(z.positive());
export const texts = z.record(z.string(), z.string());

export const variables = z.record(
  z
    .string()
    .check(z.regex(VARIABLE_NAME, { error: "A variable's name has at least one character, no '=' and no space." })),
  z.string(),
);
export const names = z.array(z.string().check(z.minLength(1)));
