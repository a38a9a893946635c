import type { Origin } from '@junctor/core/known';

/** `user /home/ada/.config/junctor/config.json:12:7` */
export function originText({ layer, source, place }: Origin): string {
  return `${layer} ${source}${place ? `:${place.line}:${place.column}` : ''}`;
}
