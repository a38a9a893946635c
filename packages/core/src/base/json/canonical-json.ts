import { isRawNumber } from './exact-json.ts';

/** JSON with sorted keys and no spaces. Without functions of its own for each value: every start needs it for every server. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (isRawNumber(value)) return value.rawJSON;
  let text = '';
  if (Array.isArray(value)) {
    for (const inner of value) text += text === '' ? canonicalJson(inner) : `,${canonicalJson(inner)}`;
    return `[${text}]`;
  }
  for (const key of Object.keys(value).sort()) {
    const inner = (value as Record<string, unknown>)[key];
    if (inner !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(inner)}`;
  }
  return `{${text}}`;
}
