import type { Server } from '@junctor/hub/answers';

/** Where a server is defined: `/home/you/junctor.json:12`. */
export function placeOf({ file, line }: Server): string {
  if (file === null) return 'no file';
  return line === null ? file : `${file}:${line}`;
}
