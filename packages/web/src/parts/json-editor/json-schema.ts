/** The part of JSON Schema that our own schemas use, and what it says about a value. */
export interface JsonSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly propertyNames?: { readonly pattern?: string };
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly required?: readonly string[];
}

/** The alternatives that what is written so far speaks for: a server that says it is a program is judged as one. */
export function formsOf(schema: JsonSchema, value: unknown): readonly JsonSchema[] {
  if (!schema.anyOf) return [schema];
  const forms = schema.anyOf.flatMap(form => formsOf(form, value));
  const counts = forms.map(form => contradictions(form, value));
  const fewest = Math.min(...counts);
  return forms.filter((_, index) => counts[index] === fewest);
}

/** What stands below a key, in each form that has it. */
export function belowKey(forms: readonly JsonSchema[], key: string): JsonSchema[] {
  return forms.flatMap(({ properties, additionalProperties }) => {
    const named = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (named) return [named];
    return typeof additionalProperties === 'object' ? [additionalProperties] : [];
  });
}

/** What a value at a path may be. Steps are keys, and places in lists. */
export function schemasAt(root: JsonSchema, value: unknown, path: readonly (string | number)[]): readonly JsonSchema[] {
  let forms = formsOf(root, value);
  let here = value;
  for (const step of path) {
    const below = typeof step === 'string' ? belowKey(forms, step) : forms.flatMap(({ items }) => items ?? []);
    here = stepInto(here, step);
    const inner = here;
    forms = below.flatMap(schema => formsOf(schema, inner));
  }
  return forms;
}

/** The words a value may be, where it may be no others. */
export function wordsOf({ const: only, enum: some, type }: JsonSchema): readonly unknown[] | undefined {
  if (only !== undefined) return [only];
  return some ?? (type === 'boolean' ? [true, false] : undefined);
}

export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

export function isKind(type: string | undefined, value: unknown): boolean {
  const kind = kindOf(value);
  return type === undefined || type === kind || (type === 'number' && kind === 'integer');
}

function contradictions(form: JsonSchema, value: unknown): number {
  if (!isKind(form.type, value)) return 100;
  const words = wordsOf(form);
  if (words && !words.includes(value)) return 10;
  if (kindOf(value) !== 'object') return 0;
  return Object.entries(form.properties ?? {}).filter(([key, { const: only, enum: some }]) => {
    const said = stepInto(value, key);
    const allowed = only === undefined ? some : [only];
    return said !== undefined && allowed !== undefined && !allowed.includes(said);
  }).length;
}

function stepInto(value: unknown, step: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
  return (value as Record<string | number, unknown>)[step];
}
