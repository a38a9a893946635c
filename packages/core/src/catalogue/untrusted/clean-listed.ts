/**
 * A resource, a template or a prompt as a list shows it to a model: cleaned, its description cut. What is sent back to the
 * server stays letter for letter, or it would lead nowhere: addresses, and names of arguments. An argument whose name
 * hides something is left out.
 */
import { cleanAndCut, hidesSomething } from './clean-text.ts';
import { cleanValues } from './clean-values.ts';
import { DEFAULT_DESCRIPTION_CHARS } from './describe-tool.ts';

const SENT_BACK = ['uri', 'uriTemplate'] as const;

export function cleanListed<Definition extends object>(definition: Definition): Definition {
  const given = definition as Readonly<Record<string, unknown>>;
  const { description, arguments: named } = given;
  return {
    ...cleanValues(given),
    ...Object.fromEntries(SENT_BACK.filter(key => key in given).map(key => [key, given[key]])),
    ...(typeof description === 'string' ? { description: cleanAndCut(description, DEFAULT_DESCRIPTION_CHARS) } : {}),
    ...(Array.isArray(named) ? { arguments: cleanArguments(named) } : {}),
  } as Definition;
}

function cleanArguments(named: readonly unknown[]): readonly unknown[] {
  return named
    .filter(one => !hidesSomething(String((one as { name?: unknown } | null)?.name ?? '')))
    .map(cleanListedArgument);
}

function cleanListedArgument(argument: unknown): unknown {
  return typeof argument === 'object' && argument !== null ? cleanListed(argument) : argument;
}
