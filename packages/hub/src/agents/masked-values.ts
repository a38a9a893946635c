/** Values that were shown masked come back masked when somebody edits what is around them: they mean what is there. Pure. */
import { MASK } from '@junctor/core/internal';

/** Puts back what stands behind a mask, where what was posted is what had been shown. */
export function unmasked(posted: unknown, shown: unknown, real: unknown): unknown {
  if (typeof posted === 'string') return posted.includes(MASK) && posted === shown ? real : posted;
  if (Array.isArray(posted)) return posted.map((item, index) => unmasked(item, part(shown, index), part(real, index)));
  if (typeof posted !== 'object' || posted === null) return posted;
  return Object.fromEntries(
    Object.entries(posted).map(([key, value]) => [key, unmasked(value, part(shown, key), part(real, key))]),
  );
}

/** Where a mask is left that stands for nothing known, as `servers.fs.env.TOKEN`. */
export function maskedPlaces(value: unknown, path = ''): string[] {
  if (typeof value === 'string') return value.includes(MASK) ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const step = Array.isArray(value) ? `[${key}]` : path === '' ? key : `.${key}`;
    return maskedPlaces(inner, `${path}${step}`);
  });
}

function part(value: unknown, key: string | number): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string | number, unknown>)[key]
    : undefined;
}
