/** What the request shapes of all providers share: names, schemas and the words a refusal is told in. */
import { z } from 'zod';

/** The problems of a value, each with its place. */
export function complaintsOf(shape: z.ZodType, value: unknown): string[] {
  const { success, error } = shape.safeParse(value);
  if (success) return [];
  return error.issues.flatMap(issue => wordsOf(issue));
}

function wordsOf(issue: z.core.$ZodIssue): string[] {
  const place = issue.path.map(String).join('.');
  if (issue.code !== 'invalid_union') return [`${place}: ${issue.message}`];
  // The alternative that came closest is the one that was meant.
  const [closest] = issue.errors.toSorted((a, b) => a.length - b.length || depth(b) - depth(a));
  return (closest ?? []).flatMap(inner => wordsOf({ ...inner, path: [...issue.path, ...inner.path] }));
}

function depth(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(...issues.map(({ path }) => path.length));
}

export type Json = Readonly<Record<string, unknown>>;

/** Base64 as APIs take it: no line breaks, padded. */
export const base64: z.ZodString = z
  .string()
  .regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'is not base64');

export const dataUrl: z.ZodString = z.string().regex(/^data:[\w.+-]+\/[\w.+-]+;base64,[A-Za-z0-9+/]+={0,2}$/);

export function uniqueNames(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))].map(
    name => `tools: two tools are called '${name}'`,
  );
}

export interface SchemaShape {
  /** Keywords that this provider does not read at the root. */
  readonly notAtRoot: readonly string[];
  /** Whether every array has to say what it holds. */
  readonly items: boolean;
}

/** The input schema of a tool: an object at the root. */
export function objectSchema({ notAtRoot, items }: SchemaShape): z.ZodType<Json> {
  return z.looseObject({ type: z.literal('object') }).superRefine((schema, context) => {
    for (const keyword of notAtRoot)
      if (keyword in schema) context.addIssue({ code: 'custom', message: `'${keyword}' stands at the root` });
    for (const complaint of deepComplaints(schema, items)) context.addIssue({ code: 'custom', message: complaint });
  });
}

/** What is refused wherever it stands. */
function deepComplaints(schema: unknown, wantsItems: boolean, place = '#'): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  if (Array.isArray(schema))
    return schema.flatMap((one, index) => deepComplaints(one, wantsItems, `${place}/${index}`));
  const { type, items, $ref } = schema as Record<string, unknown>;
  const isArray = type === 'array' || (Array.isArray(type) && type.includes('array'));
  return [
    ...(wantsItems && isArray && items === undefined ? [`${place}: an array without items`] : []),
    ...(Array.isArray(items) ? [`${place}: items is a list`] : []),
    ...(typeof $ref === 'string' && !$ref.startsWith('#') ? [`${place}: '$ref' leads outside`] : []),
    ...Object.entries(schema).flatMap(([key, value]) => deepComplaints(value, wantsItems, `${place}/${key}`)),
  ];
}
