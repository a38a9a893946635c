/** What stands between a lockfile and what servers offer now, and a lockfile in which some of it is approved. Pure. */
import { type Change, changesBetween } from './changes.ts';
import type { LockedServer, LockedTool, LockFile } from './lockfile.ts';

/** One thing that servers offer otherwise than a lockfile says. */
export type LockChange =
  | { readonly kind: 'server-added' | 'server-removed'; readonly server: string; readonly tools: readonly string[] }
  | { readonly kind: 'server-changed'; readonly server: string; readonly changes: readonly Change[] }
  | {
      readonly kind: 'tool-added' | 'tool-removed';
      readonly server: string;
      readonly tool: string;
      readonly definition: LockedTool['definition'];
    }
  | {
      readonly kind: 'tool-changed';
      readonly server: string;
      readonly tool: string;
      readonly changes: readonly Change[];
    };

/** What there is now. */
export interface PresentState extends LockFile {
  /** Servers that could not be asked: what the lockfile says of them stays. */
  readonly unknown: ReadonlySet<string>;
}

/** A server, or one tool of it. */
export interface LockTarget {
  /** The id of the server. */
  readonly server: string;
  /** The server's own name for the tool; absent for all of them. */
  readonly tool?: string | undefined;
}

/** Sorted by server and tool. */
export function lockChanges(lock: LockFile, now: PresentState): LockChange[] {
  const ids = new Set([...lock.servers.keys(), ...now.servers.keys()]);
  return [...ids]
    .sort()
    .flatMap(id => (now.unknown.has(id) ? [] : serverChanges(id, lock.servers.get(id), now.servers.get(id))));
}

function serverChanges(
  server: string,
  before: LockedServer | undefined,
  after: LockedServer | undefined,
): LockChange[] {
  if (!before || !after) {
    const kind = before ? 'server-removed' : 'server-added';
    return [{ kind, server, tools: [...((before ?? after)?.tools.keys() ?? [])].sort() }];
  }
  const definition: LockChange[] =
    before.fingerprint === after.fingerprint
      ? []
      : [{ kind: 'server-changed', server, changes: changesBetween(before.definition, after.definition) }];
  const names = new Set([...before.tools.keys(), ...after.tools.keys()]);
  return [
    ...definition,
    ...[...names].sort().flatMap(tool => toolChange(server, tool, before.tools.get(tool), after.tools.get(tool))),
  ];
}

function toolChange(
  server: string,
  tool: string,
  before: LockedTool | undefined,
  after: LockedTool | undefined,
): LockChange[] {
  if (before && after) {
    const changes = changesBetween(before.definition, after.definition);
    if (changes.length === 0 && before.fingerprint === after.fingerprint) return [];
    return [{ kind: 'tool-changed', server, tool, changes }];
  }
  const definition = (before ?? after)?.definition ?? {};
  return [{ kind: before ? 'tool-removed' : 'tool-added', server, tool, definition }];
}

/** Whether somebody who approves these targets approves this change. */
export function concerns(change: LockChange, targets: readonly LockTarget[]): boolean {
  return targets.some(
    ({ server, tool }) =>
      change.server === server && (tool === undefined || ('tool' in change ? change.tool === tool : false)),
  );
}

/** The lockfile with these changes in it, and no others. */
export function approve(lock: LockFile, now: PresentState, changes: readonly LockChange[]): LockFile {
  const servers = new Map(lock.servers);
  for (const change of changes) {
    const present = now.servers.get(change.server);
    if (change.kind === 'server-removed') servers.delete(change.server);
    else if (present && change.kind === 'server-added') servers.set(change.server, present);
    else if (present) servers.set(change.server, withChange(servers.get(change.server) ?? present, present, change));
  }
  return { servers };
}

function withChange(before: LockedServer, present: LockedServer, change: LockChange): LockedServer {
  if (!('tool' in change)) return { ...before, fingerprint: present.fingerprint, definition: present.definition };
  const tools = new Map(before.tools);
  const tool = present.tools.get(change.tool);
  if (tool) tools.set(change.tool, tool);
  else tools.delete(change.tool);
  return { ...before, tools };
}
