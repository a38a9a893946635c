/** What a mistake means until it is mended: whoever took something away wants to know whether it is gone. Pure. */
import { valueAt } from '../dialects/entry-reader.ts';
import type { Path } from '../formats/document.ts';
import { meantBy } from './misspelt-sections.ts';
import { holdsRules } from './salvaged-rules.ts';

const DENIED = ' What it names is denied until it is mended.';

/** Of a key that nobody knows, as a sentence to add; empty where it means nothing. */
export function consequenceOfKey(key: string, path: Path, frame: unknown): string {
  if (path.length === 0) {
    const meant = meantBy(key, frame as Record<string, unknown>);
    return meant ? ` ${meant.consequence}` : '';
  }
  return isPermissions(path) && holdsRules(key, valueAt(frame, [...path, key])) ? DENIED : '';
}

/** Of a section that is no section. */
export function consequenceOfValue(path: Path, found: unknown): string {
  return isPermissions(path) && holdsRules('', found) ? DENIED : '';
}

function isPermissions(path: Path): boolean {
  return path.length === 1 && path[0] === 'permissions';
}
