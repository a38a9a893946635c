/** Patterns that cover the arguments of a call: exactly these, and for a path everything in its folder. Pure. */

const MOST = 4;
const LONGEST = 120;

export function suggestedPatterns(args: unknown): string[] {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return [];
  return Object.entries(args)
    .flatMap(([name, value]) => (isPlain(name) && isPlain(value) ? patternsFor(name, String(value)) : []))
    .slice(0, MOST);
}

function patternsFor(name: string, value: string): string[] {
  const folder = /^(.*[^/])\/[^/]+$/.exec(value)?.[1];
  const isPath = folder !== undefined && !/\s/.test(value);
  return [`${name}=${value}`, ...(isPath ? [`${name}=${folder}/**`] : [])];
}

/** Signs with a meaning in patterns, and masked secrets, are left to the person. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'number' || typeof value === 'boolean') return true;
  return typeof value === 'string' && value !== '' && value.length <= LONGEST && !/[*?,=•\\\p{C}]|\.\./u.test(value);
}
