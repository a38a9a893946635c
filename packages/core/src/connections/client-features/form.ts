/**
 * The form a server wants filled in, read from its schema. MCP allows plain fields only: texts, numbers, yes or no, one of
 * several, some of several. Whatever else a schema holds is the server's mistake. Pure.
 */
import { REFUSED, Refusal } from './answers.ts';

interface AboutField {
  readonly name: string;
  /** What to call it: its title, else its name. */
  readonly title: string;
  readonly description?: string;
  readonly required: boolean;
}

export interface TextField extends AboutField {
  readonly kind: 'text';
  readonly format?: 'email' | 'uri' | 'date' | 'date-time';
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly default?: string;
}

export interface NumberField extends AboutField {
  readonly kind: 'number' | 'integer';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
}

export interface YesNoField extends AboutField {
  readonly kind: 'boolean';
  readonly default?: boolean;
}

export interface ChoiceField extends AboutField {
  readonly kind: 'choice';
  readonly options: readonly FieldOption[];
  readonly default?: string;
}

export interface ChoicesField extends AboutField {
  readonly kind: 'choices';
  readonly options: readonly FieldOption[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: readonly string[];
}

/** One field of a form: `kind` tells what it takes. */
export type Field = TextField | NumberField | YesNoField | ChoiceField | ChoicesField;

/** One thing to choose: the value that is sent, and the words a person reads. */
export interface FieldOption {
  /** What is sent. */
  readonly value: string;
  /** What a person reads. */
  readonly title: string;
}

/** More than a person would fill in, and more than any form we have seen. */
const MAX_FIELDS = 200;

export function readForm(requestedSchema: unknown): readonly Field[] {
  const schema = object(requestedSchema);
  if (schema?.type !== 'object') throw bad('requestedSchema is not an object schema');
  const properties = Object.entries(object(schema.properties) ?? {});
  if (properties.length > MAX_FIELDS) throw bad(`requestedSchema has more than ${MAX_FIELDS} properties`);
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  return properties.map(([name, property]) => readField(name, object(property) ?? {}, required.has(name)));
}

function readField(name: string, schema: Schema, required: boolean): Field {
  const { title, description } = schema;
  const about = {
    name,
    title: typeof title === 'string' && title !== '' ? title : name,
    ...(typeof description === 'string' ? { description } : {}),
    required,
  };
  switch (schema.type) {
    case 'string': {
      const options = optionsOf(schema, 'oneOf');
      if (options) return { ...about, kind: 'choice', options, ...given(schema, 'default', 'string') };
      return {
        ...about,
        kind: 'text',
        ...(FORMATS.has(schema.format as string) ? { format: schema.format as TextField['format'] & string } : {}),
        ...given(schema, 'minLength', 'number'),
        ...given(schema, 'maxLength', 'number'),
        ...given(schema, 'default', 'string'),
      };
    }
    case 'number':
    case 'integer':
      return {
        ...about,
        kind: schema.type,
        ...given(schema, 'minimum', 'number'),
        ...given(schema, 'maximum', 'number'),
        ...given(schema, 'default', 'number'),
      };
    case 'boolean':
      return { ...about, kind: 'boolean', ...given(schema, 'default', 'boolean') };
    case 'array': {
      const options = optionsOf(object(schema.items) ?? {}, 'anyOf');
      if (!options) throw bad(`'${name}' is a list of something else than fixed choices`);
      return {
        ...about,
        kind: 'choices',
        options,
        ...given(schema, 'minItems', 'number'),
        ...given(schema, 'maxItems', 'number'),
        ...(isTexts(schema.default) ? { default: schema.default } : {}),
      };
    }
    default:
      throw bad(`'${name}' is neither a text, a number, a boolean nor a choice`);
  }
}

const FORMATS = new Set(['email', 'uri', 'date', 'date-time']);

/** Choices come with titles of their own, with titles in a second list, or as bare values. */
function optionsOf(schema: Schema, titled: 'oneOf' | 'anyOf'): readonly FieldOption[] | undefined {
  const branches = schema[titled];
  if (Array.isArray(branches)) {
    return branches.map(branch => {
      const { const: value, title } = object(branch) ?? {};
      if (typeof value !== 'string') throw bad(`a choice of ${titled} has no const`);
      return { value, title: typeof title === 'string' ? title : value };
    });
  }
  if (!isTexts(schema.enum)) return undefined;
  const names = isTexts(schema.enumNames) ? schema.enumNames : [];
  return schema.enum.map((value, index) => ({ value, title: names[index] ?? value }));
}

type Schema = Readonly<Record<string, unknown>>;

/** The key alone where it has the right type, so that absent stays absent. */
function given<Key extends string, Type extends keyof Types>(
  schema: Schema,
  key: Key,
  type: Type,
): { readonly [K in Key]?: Types[Type] } {
  return typeof schema[key] === type ? ({ [key]: schema[key] } as { [K in Key]?: Types[Type] }) : {};
}

interface Types {
  readonly string: string;
  readonly number: number;
  readonly boolean: boolean;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(one => typeof one === 'string');
}

function object(value: unknown): Schema | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : undefined;
}

function bad(because: string): Refusal {
  return new Refusal(REFUSED.badParams, `The form cannot be shown: ${because}.`);
}
