/** Which tools are left where a reader takes only so many: some of every server, the same ones each time. */
import type { Entry } from './entry.ts';

export interface Capped<Tool> {
  readonly entries: readonly Tool[];
  readonly beyond: readonly Tool[];
}

/** Entries are sorted by name, and stay so. Servers are served in turn, so that one with many tools leaves room for others. */
export function withinCap<Tool extends Pick<Entry, 'server'>>(
  entries: readonly Tool[],
  maxTools: number | undefined,
): Capped<Tool> {
  if (maxTools === undefined || entries.length <= maxTools) return { entries, beyond: [] };
  const turns = new Map<string, number>();
  const ranked = entries.map(entry => {
    const turn = turns.get(entry.server) ?? 0;
    turns.set(entry.server, turn + 1);
    return { entry, turn };
  });
  const kept = new Set(
    ranked
      .toSorted((a, b) => a.turn - b.turn)
      .slice(0, maxTools)
      .map(({ entry }) => entry),
  );
  return { entries: entries.filter(entry => kept.has(entry)), beyond: entries.filter(entry => !kept.has(entry)) };
}
