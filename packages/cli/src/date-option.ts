/** Options that take a point in time. */
import { JunctorError } from '@junctor/core/light';
import { dashed } from './command.ts';

/** As programs write it; undefined where the option is not given. A day alone begins at midnight, UTC. */
export function pointInTime(option: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const time = /^\d{4}-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return new Date(time).toISOString();
  throw new JunctorError('usage', `${dashed(option)} cannot be '${text}'.`, {
    hint: 'a date, such as 2026-11-16 or 2026-11-16T09:00:00Z',
  });
}
