import { isAppOnly } from './app-only.ts';
import type { Entry, ToolDefinition } from './entry.ts';
import type { Skipped } from './lists/lists.ts';
import { byName, Shelves } from './shelves.ts';
import type { View } from './view.ts';
import { withinCap } from './within-cap.ts';

/** What is offered at one moment. Immutable and numbered: a run keeps the one it began with. */
export interface Snapshot {
  /** Higher in each later one that differs. */
  readonly number: number;
  /** Sorted by public name. */
  readonly entries: readonly Entry[];
  /** Every tool by its public name, also those that are beyond what their reader takes. */
  readonly byName: ReadonlyMap<string, Entry>;
  /** Tools for the user interfaces of servers, by public name. No model is offered one; they can still be called. */
  readonly appOnly: ReadonlyMap<string, Entry>;
  /** Tools that are not listed because their reader takes only so many. They can still be called. */
  readonly beyond: readonly Entry[];
  /** How many tools the reader takes; undefined: any number. */
  readonly cap: number | undefined;
  /** Servers whose tools here are those of an earlier moment, not confirmed since, and when they were listed. */
  readonly stale: ReadonlyMap<string, Date>;
  /** Tools that servers listed and nobody could use, with the reason. */
  readonly skipped: readonly SkippedTool[];
  /** Tools that a lockfile hides until somebody approves them, with the reason. */
  readonly hidden: readonly SkippedTool[];
}

/** A tool that is not offered, of which server, and why. */
export interface SkippedTool extends Skipped {
  /** The id of its server. */
  readonly server: string;
}

/** What one server offers. */
export interface ToolList {
  readonly tools: readonly ToolDefinition[];
  readonly skipped?: readonly Skipped[];
  readonly hidden?: readonly Skipped[];
  /** When it was listed, where the server has not confirmed it since. */
  readonly staleSince?: Date | undefined;
}

export interface SnapshotOptions {
  readonly number: number;
  readonly view: View;
  /** Ids of every server that could be there. Default: those of the lists. */
  readonly servers?: Iterable<string> | undefined;
  /** Where named tools are kept for the next snapshot. */
  readonly shelves?: Shelves | undefined;
}

export function takeSnapshot(
  lists: ReadonlyMap<string, ToolList>,
  { number, view, servers = lists.keys(), shelves = new Shelves() }: SnapshotOptions,
): Snapshot {
  const inOrder = [...lists].sort(([a], [b]) => (a < b ? -1 : 1));
  const named = inOrder.map(([server, { tools }]) => [server, tools] as const);
  const all = shelves.of(named, view, servers).flat().sort(byName);
  const names = new Map<string, Entry>();
  const appOnly = new Map<string, Entry>();
  for (const entry of all) (isAppOnly(entry.definition) ? appOnly : names).set(entry.name, entry);
  return {
    number,
    ...withinCap(appOnly.size === 0 ? all : [...names.values()], view.audience?.maxTools),
    cap: view.audience?.maxTools,
    byName: names,
    appOnly,
    stale: new Map([...lists].flatMap(([server, { staleSince }]) => (staleSince ? [[server, staleSince]] : []))),
    skipped: [...lists].flatMap(([server, { skipped = [] }]) => skipped.map(one => ({ server, ...one }))),
    hidden: [...lists].flatMap(([server, { hidden = [] }]) => hidden.map(one => ({ server, ...one }))),
  };
}

/** The tool of a public name, whoever it is offered to. */
export function entryNamed({ byName, appOnly }: Snapshot, name: string): Entry | undefined {
  return byName.get(name) ?? appOnly.get(name);
}
