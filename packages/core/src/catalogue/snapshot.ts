import type { Entry, ToolDefinition } from './entry.ts';
import { type NameLimits, type NamingStrategy, publicNames } from './naming/strategy.ts';

/** What is offered at one moment. Immutable and numbered: a run keeps the one it began with. */
export interface Snapshot {
  readonly number: number;
  /** Sorted by public name. */
  readonly entries: readonly Entry[];
  readonly byName: ReadonlyMap<string, Entry>;
}

export interface SnapshotOptions {
  readonly number: number;
  readonly naming: NamingStrategy;
  readonly limits?: NameLimits;
}

export function takeSnapshot(
  toolsByServer: ReadonlyMap<string, readonly ToolDefinition[]>,
  { number, naming, limits }: SnapshotOptions,
): Snapshot {
  const offered = [...toolsByServer].flatMap(([server, tools]) =>
    tools.map(definition => ({ server, tool: definition.name, definition })),
  );
  const names = publicNames(offered, naming, limits);
  const entries = offered
    .map((tool, index): Entry => ({ name: names[index] as string, ...tool }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return { number, entries, byName: new Map(entries.map(entry => [entry.name, entry])) };
}
