/** How deeply a server may nest what it answers. Pure. */

/** Far more than anybody means to send. Writing JSON of some thousand levels overflows the stack of whoever does it. */
const MOST_LEVELS = 500;

export function nestsTooDeeply(value: unknown): boolean {
  return holdsMore(value) && isDeeper(value, MOST_LEVELS);
}

/** Every answer is walked through: what holds nothing is not entered, and places of a list are not spelled out as keys. */
function isDeeper(value: object, levels: number): boolean {
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const one of value) if (holdsMore(one) && isDeeper(one, levels - 1)) return true;
    return false;
  }
  for (const key in value) {
    const one = (value as Record<string, unknown>)[key];
    if (holdsMore(one) && isDeeper(one, levels - 1)) return true;
  }
  return false;
}

function holdsMore(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
