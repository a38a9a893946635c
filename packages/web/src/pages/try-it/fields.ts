/** The fields of a form for the arguments of a tool, and what was written into them as arguments. */
export interface Field {
  readonly name: string;
  readonly kind: 'text' | 'number' | 'switch' | 'choice' | 'json';
  readonly description: string;
  readonly isRequired: boolean;
  /** Of a choice. */
  readonly options: readonly string[];
}

export type Written = Readonly<Record<string, string>>;

interface Property {
  readonly type?: unknown;
  readonly enum?: unknown;
  readonly description?: unknown;
}

export function fieldsOf(schema: Readonly<Record<string, unknown>>): Field[] {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, Property>>;
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(properties).map(([name, property]) => ({
    name,
    kind: kindOf(property),
    description: typeof property.description === 'string' ? property.description : '',
    isRequired: required.includes(name),
    options: Array.isArray(property.enum) ? property.enum.map(String) : [],
  }));
}

/** Simple types have a field of their own; everything else is written as JSON. */
function kindOf(property: Property): Field['kind'] {
  const isText = property.type === 'string';
  if (isText && Array.isArray(property.enum)) return 'choice';
  if (isText) return 'text';
  if (property.type === 'number' || property.type === 'integer') return 'number';
  return property.type === 'boolean' ? 'switch' : 'json';
}

/** Throws with a sentence where a field holds no JSON. What is empty and not required is left out. */
export function argumentsIn(fields: readonly Field[], written: Written): Record<string, unknown> {
  const entries = fields.flatMap(field => {
    const text = written[field.name] ?? '';
    if (text === '' && !(field.isRequired && field.kind === 'text')) return [];
    return [[field.name, readValue(field, text)] as const];
  });
  return Object.fromEntries(entries);
}

function readValue({ name, kind }: Field, text: string): unknown {
  if (kind === 'text' || kind === 'choice') return text;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${name}: this is not JSON. ${(error as Error).message}`);
  }
}
