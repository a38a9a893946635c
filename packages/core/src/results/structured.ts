/** Whether the texts of a result only repeat its structured content, as servers do for clients that know texts alone. Pure. */
import { sameJson } from '../base/json/same-json.ts';
import { type ContentPart, textOfPart } from './content.ts';

export function repeatsStructured(parts: readonly ContentPart[], structured: unknown): boolean {
  if (structured === undefined) return false;
  const texts = parts.flatMap(part => (part.type === 'text' ? [textOfPart(part) as string] : []));
  if (texts.length === 0) return parts.length === 0;
  // Some servers wrap what is no object under one key, since older revisions allow objects only; a list then is a text for each.
  const wrapped = inside(structured);
  if (texts.length === 1) {
    const [text] = texts as [string];
    return wrapped === text || isTextOf(text, structured) || (wrapped !== undefined && isTextOf(text, wrapped));
  }
  return (
    Array.isArray(wrapped) &&
    wrapped.length === texts.length &&
    texts.every((text, index) => text === wrapped[index] || isTextOf(text, wrapped[index]))
  );
}

function inside(structured: unknown): unknown {
  if (typeof structured !== 'object' || structured === null) return undefined;
  const keys = Object.keys(structured);
  return keys.length === 1 ? (structured as Record<string, unknown>)[keys[0] as string] : undefined;
}

function isTextOf(text: string, value: unknown): boolean {
  try {
    return sameJson(JSON.parse(text), value);
  } catch {
    return false;
  }
}
