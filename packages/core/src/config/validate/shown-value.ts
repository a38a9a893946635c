/** Keys under which a value may be a secret: what stands there is never repeated. */
const SECRET_PLACES = new Set(['headers', 'env', 'client_secret', 'env_injection']);

/** A value as a person wrote it, never longer than a line, never a secret. */
export function shown(value: unknown, path: readonly PropertyKey[]): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (path.some(step => SECRET_PLACES.has(String(step)))) return `a ${typeof value}`;
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 37)}…` : text;
}
