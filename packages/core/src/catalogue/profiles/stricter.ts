/** Two profiles at once: what both can read. */
import type { SchemaRules, Spelling } from '../../config/schema/profile-schema.ts';
import { characterSet } from '../naming/name-rule.ts';

export function stricterSchema(a: SchemaRules | undefined, b: SchemaRules | undefined): SchemaRules | undefined {
  if (!a || !b) return a ?? b;
  const either = (key: 'root_combinators' | 'type_lists', banned: boolean) =>
    a[key] === banned || b[key] === banned ? { [key]: banned } : {};
  const wanted = (key: 'items_required' | 'typed') => (a[key] || b[key] ? { [key]: true } : {});
  return {
    ...either('root_combinators', false),
    ...either('type_lists', false),
    ...wanted('items_required'),
    ...wanted('typed'),
    ...given('references', strongest(['inline', 'keep'], a.references, b.references)),
    ...given('null', strongest(['nullable', 'type'], a.null, b.null)),
    ...given('enums', strongest(['strings', 'any'], a.enums, b.enums)),
    ...given('any_of', strongest(['alone', 'any'], a.any_of, b.any_of)),
    ...given('tuples', strongest(['none', 'prefix', 'any'], a.tuples, b.tuples)),
    ...given('keywords', common(a.keywords, b.keywords)),
    ...given('formats', common(a.formats, b.formats)),
    ...given('property_names', stricterSpelling(a.property_names, b.property_names)),
    ...given('property_names_at', whereNamesCount(a, b)),
    ...given('max_depth', least(a.max_depth, b.max_depth)),
    ...given('budget_bytes', least(a.budget_bytes, b.budget_bytes)),
    // Strictness is asked of the model: whoever stands between only passes it on.
    ...given('strict', a.strict ?? b.strict),
  };
}

export function least(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

export function common(a: string[] | undefined, b: string[] | undefined): string[] | undefined {
  return a && b ? a.filter(word => b.includes(word)) : (a ?? b);
}

function stricterSpelling(a: Spelling | undefined, b: Spelling | undefined): Spelling | undefined {
  if (!a || !b) return a ?? b;
  return {
    ...given('characters', commonCharacters(a.characters, b.characters)),
    ...given('first', commonCharacters(a.first ?? a.characters, b.first ?? b.characters)),
    ...given('max_length', least(a.max_length, b.max_length)),
  };
}

/** Written out: a range is only another way to write its characters. */
export function commonCharacters(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const other = characterSet(b);
  const both = [...characterSet(a)].filter(sign => other.has(sign));
  return [...both.filter(sign => sign !== '-'), ...both.filter(sign => sign === '-')].join('');
}

function whereNamesCount(a: SchemaRules, b: SchemaRules): SchemaRules['property_names_at'] {
  const everywhere = [a, b].some(
    ({ property_names, property_names_at }) => property_names && property_names_at !== 'root',
  );
  return (a.property_names || b.property_names) && !everywhere ? 'root' : undefined;
}

function strongest<const Word extends string>(
  order: readonly Word[],
  a: Word | undefined,
  b: Word | undefined,
): Word | undefined {
  return order.find(word => word === a || word === b);
}

function given<Key extends string, Value>(key: Key, value: Value | undefined): { [key in Key]?: Value } {
  return (value === undefined ? {} : { [key]: value }) as { [key in Key]?: Value };
}
