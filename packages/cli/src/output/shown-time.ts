/** Times in tables, and the way back: what a table shows can be typed as the value of an option. */
import { JunctorError } from '@junctor/core/light';
import { dashed } from '../command.ts';

/** `2026-11-16 09:00:00`, in UTC. */
export function shownTime(iso: string): string {
  return iso.slice(0, 19).replace('T', ' ');
}

/** As programs write it; undefined where the option is not given. Without a zone it is UTC, as tables show times. */
export function pointInTime(option: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const [, day, time = '00:00', zone = 'Z'] = WRITTEN.exec(text.trim()) ?? [];
  const at = day === undefined ? Number.NaN : Date.parse(`${day}T${time}${zone}`);
  if (!Number.isNaN(at)) return new Date(at).toISOString();
  throw new JunctorError('usage', `${dashed(option)} cannot be '${text}'.`, {
    hint: 'a date in UTC, such as 2026-11-16 or 2026-11-16 09:00:00; with a zone: 2026-11-16T09:00:00+02:00',
  });
}

const WRITTEN = /^(\d{4}-\d\d(?:-\d\d)?)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?))?(Z|[+-]\d\d:?\d\d)?$/i;
