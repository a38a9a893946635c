/** The sandbox of macOS: a profile for `sandbox-exec`. It hides no folder, it refuses to open what lies in it. Pure. */
import type { Folder } from './sandbox-view.ts';

/** Of rules that fit, the last one counts. */
export function seatbeltProfile(
  view: readonly Folder[],
  { network, temporary }: { network: boolean; temporary: string },
): string {
  const rules = view.flatMap(({ path, as }) => {
    const below = `(subpath ${JSON.stringify(path)})`;
    if (as === 'hidden') return [`(deny file-read-data file-write* ${below})`];
    return [`(allow file-read* ${below})`, ...(as === 'writable' ? [`(allow file-write* ${below})`] : [])];
  });
  return [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    ...rules,
    `(allow file-read* file-write* (subpath "/dev") (subpath ${JSON.stringify(temporary)}))`,
    ...(network ? [] : ['(deny network*)']),
  ].join('\n');
}
