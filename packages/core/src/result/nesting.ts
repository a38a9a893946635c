/** How deeply a server may nest what it answers. Pure. */

/** Far more than anybody means to send. Writing JSON of some thousand levels overflows the stack of whoever does it. */
const MOST_LEVELS = 500;

export function nestsTooDeeply(value: unknown): boolean {
  return isDeeper(value, MOST_LEVELS);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const key in value) if (isDeeper((value as Record<string, unknown>)[key], levels - 1)) return true;
  return false;
}
