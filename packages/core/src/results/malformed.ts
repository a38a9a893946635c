/** What keeps an answer from being the result of a tool, as words for people. Pure: an empty success would hide it. */
import { isObject } from '../base/json/is-object.ts';

/** Undefined where it is one. `null` counts as absent: some servers write it for an empty list. */
export function malformedResult(answer: object): string | undefined {
  if (Array.isArray(answer)) return 'the result is a list, not an object';
  const { content, isError } = answer as { readonly content?: unknown; readonly isError?: unknown };
  if (isError !== undefined && isError !== null && typeof isError !== 'boolean')
    return `'isError' is ${kindOf(isError)}, not true or false`;
  if (content === undefined || content === null || isObject(content)) return undefined;
  if (!Array.isArray(content)) return `'content' is ${kindOf(content)}, not a list`;
  for (const [index, block] of content.entries()) {
    if (!isObject(block)) continue;
    const { type, data } = block;
    if ((type === 'image' || type === 'audio') && typeof data !== 'string')
      return `content block ${index + 1} is of type '${type}' and has no data`;
  }
  return undefined;
}

function kindOf(value: unknown): string {
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
