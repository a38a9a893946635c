/** What a person filled in: complete, and as the form asks for it, before it leaves the house. Pure. */
import type { Field, NumberField, TextField } from './form.ts';

/** What can be filled in. */
export type FieldValue = string | number | boolean | readonly string[];
/** What a person filled in, by the names of the fields. */
export type FormContent = Readonly<Record<string, FieldValue>>;

/** Fields left out take the value the form proposes for them, unless the form itself would not take it. */
export function withDefaults(fields: readonly Field[], content: FormContent): FormContent {
  const proposed = fields.flatMap(field => {
    const { name, default: value } = field;
    const unfit = value === undefined || Object.hasOwn(content, name) || problemOfField(field, value) !== undefined;
    return unfit ? [] : [[name, value] as const];
  });
  return { ...content, ...Object.fromEntries(proposed) };
}

/** Everything that is wrong with the content, a sentence each; none where it can be sent. */
export function problemsOfForm(fields: readonly Field[], content: FormContent): string[] {
  const known = new Map(fields.map(field => [field.name, field]));
  const strangers = Object.keys(content)
    .filter(name => !known.has(name))
    .map(name => `'${name}' was not asked for`);
  const problems = fields.flatMap(field => {
    const value = Object.hasOwn(content, field.name) ? content[field.name] : undefined;
    if (value === undefined) return field.required ? [`'${field.name}' is missing`] : [];
    const problem = problemOfField(field, value);
    return problem === undefined ? [] : [`'${field.name}' ${problem}`];
  });
  return [...problems, ...strangers];
}

/** What is wrong with one value, to be read after the name of its field. */
export function problemOfField(field: Field, value: unknown): string | undefined {
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' ? problemOfText(field, value) : 'is not a text';
    case 'number':
    case 'integer':
      return problemOfNumber(field, value);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'is neither true nor false';
    case 'choice':
      return field.options.some(option => option.value === value) ? undefined : 'is none of the choices';
    case 'choices': {
      if (!Array.isArray(value)) return 'is not a list';
      if (!value.every(one => field.options.some(option => option.value === one)))
        return 'has something in it that is none of the choices';
      if (value.length < (field.minItems ?? 0)) return `has fewer than ${field.minItems} choices`;
      if (value.length > (field.maxItems ?? Number.POSITIVE_INFINITY)) return `has more than ${field.maxItems} choices`;
      return undefined;
    }
  }
}

function problemOfText({ minLength = 0, maxLength, format }: TextField, value: string): string | undefined {
  // JSON Schema counts characters, not the halves that JavaScript stores some of them in.
  const { length } = [...value];
  if (length < minLength) return `is shorter than ${minLength} characters`;
  if (maxLength !== undefined && length > maxLength) return `is longer than ${maxLength} characters`;
  if (format !== undefined && !LOOKS_LIKE[format](value)) return `is not ${NAMES[format]}`;
  return undefined;
}

const LOOKS_LIKE: Readonly<Record<NonNullable<TextField['format']>, (value: string) => boolean>> = {
  email: value => /^[^\s@]+@[^\s@]+$/.test(value),
  uri: value => URL.canParse(value),
  date: value => /^\d{4}-\d{2}-\d{2}$/.test(value) && isDay(value),
  'date-time': value =>
    /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/.test(value) && isDay(value),
};

const NAMES: Readonly<Record<NonNullable<TextField['format']>, string>> = {
  email: 'an e-mail address',
  uri: 'a URL',
  date: 'a date like 2026-07-28',
  'date-time': 'a date and time like 2026-07-28T12:00:00Z',
};

/** Date moves 30 February to March: a day is one only if it stays where it is. */
function isDay(value: string): boolean {
  const day = value.slice(0, 10);
  const read = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(day);
}

function problemOfNumber({ kind, minimum, maximum }: NumberField, value: unknown): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'is not a number';
  if (kind === 'integer' && !Number.isInteger(value)) return 'is not a whole number';
  if (minimum !== undefined && value < minimum) return `is less than ${minimum}`;
  if (maximum !== undefined && value > maximum) return `is more than ${maximum}`;
  return undefined;
}
