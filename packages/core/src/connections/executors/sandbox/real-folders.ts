/**
 * Where folders of the sandbox lie in truth. A server may put a link in place of what lies in a folder that it may write; the
 * next start, which happens outside, must not follow it to somewhere else.
 */
import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Folder, isInside } from './sandbox-view.ts';

/** The path itself, where there is nothing. */
export function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** The first that is reached through a writable folder, and lies outside of it. */
export function leadingOut(paths: readonly string[], view: readonly Folder[]): string | undefined {
  const writable = view.filter(({ as }) => as === 'writable').map(({ path }) => real(path));
  return paths.find(path => {
    const steps = stepsTo(path);
    return writable.some(folder => !isInside(real(path), folder) && steps.some(step => isInside(step, folder)));
  });
}

/** Where each part of the path lies, before the last one is followed. */
function stepsTo(path: string): string[] {
  const above = dirname(path);
  return above === path ? [] : [...stepsTo(above), join(real(above), basename(path))];
}
