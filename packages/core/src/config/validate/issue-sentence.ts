/** One issue of a schema as an English sentence. Config files and request bodies use the same words. Pure. */
import type * as z from 'zod/mini';

export function issueSentence(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `This must be ${TYPES[issue.expected] ?? issue.expected}.`;
    case 'invalid_value':
      return `This must be ${listed(issue.values)}.`;
    case 'too_small':
      return lowerBound(issue);
    case 'too_big':
      return `This must be ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}.`;
    case 'invalid_key':
      return issue.issues[0] ? issueSentence(issue.issues[0]) : 'This key is not valid.';
    default:
      return ended(issue.message);
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function listed(values: readonly unknown[]): string {
  const words = values.map(value => (typeof value === 'string' ? `"${value}"` : String(value)));
  return words.length < 2 ? (words[0] ?? 'left out') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

function lowerBound({ origin, minimum, inclusive }: z.core.$ZodIssueTooSmall): string {
  if (origin === 'array') return 'This list must not be empty.';
  if (origin === 'string') return 'This text must not be empty.';
  return `This must be ${inclusive ? 'at least' : 'more than'} ${minimum}.`;
}

/** The library adds what it received; the caller says that in its own words. */
function ended(message: string): string {
  const text = message.replace(/, received \w+$/, '');
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
