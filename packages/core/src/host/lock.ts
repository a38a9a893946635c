/** `junctor.lock` seen from a host: what differs from it now, and approving that. */

import { isJunctorError, JunctorError } from '../base/error.ts';
import { writeSharedFile } from '../base/files/atomic-file.ts';
import { withFileLock } from '../base/files/file-lock.ts';
import type { ToolDefinition } from '../catalogue/entry.ts';
import type { LoadedServer } from '../config/layers.ts';
import { describeProblem } from '../config/problem.ts';
import { ownSurroundings } from '../config/sources/places.ts';
import { approve, type LockChange, lockChanges, type PresentState } from '../permissions/lockfile/lock-changes.ts';
import { type LockOptions, lockfileHere, lockfileOf, readLockfile } from '../permissions/lockfile/lock-place.ts';
import { formatLock, type LockedServer, type LockedTool, type LockFile } from '../permissions/lockfile/lockfile.ts';
import { serverTerms } from '../permissions/lockfile/server-terms.ts';
import { termsOf, toolFingerprint } from '../permissions/lockfile/tool-terms.ts';
import type { Host } from './host.ts';
import type { ServerFailure } from './host-catalogue.ts';
import type { HostOptions } from './host-options.ts';

/** A lockfile beside what servers offer now. */
export interface LockInspection {
  /** Where it is, or would be. */
  readonly file: string;
  /** Undefined where there is no lockfile yet. */
  readonly lock: LockFile | undefined;
  /** What servers offer. */
  readonly now: PresentState;
  /** What an approval would change. */
  readonly changes: readonly LockChange[];
  /** Servers that could not be asked. What is locked of them stays as it is. */
  readonly failed: readonly ServerFailure[];
}

/** Asks every server that the lockfile here is about what it offers, and compares. Changes nothing. */
export async function inspectLock(host: Host, options: HostOptions): Promise<LockInspection> {
  const places: LockOptions = {
    surroundings: options.surroundings ?? ownSurroundings(),
    lockfile: options.lockfile,
  };
  const file = lockfileHere(host.loaded, places);
  const lock = await readOrThrow(file);
  const governed = [...host.loaded.servers.values()].filter(server => lockfileOf(server, places) === file);
  const servers = new Map<string, LockedServer>();
  const failed: ServerFailure[] = [];
  const untried = new Map(host.failures().map(failure => [failure.server, failure]));
  await Promise.all(
    governed.map(async server => {
      const { id } = server;
      if (!host.server(id)) {
        // One that is switched off needs nobody's attention.
        const failure = untried.get(id);
        if (failure) failed.push(failure);
        return;
      }
      try {
        servers.set(id, await lockedNow(host, server));
      } catch (error) {
        if (!isJunctorError(error)) throw error;
        failed.push({ server: id, error });
      }
    }),
  );
  const unknown = new Set(governed.map(({ id }) => id).filter(id => !servers.has(id)));
  const now: PresentState = { servers, unknown };
  failed.sort((a, b) => (a.server < b.server ? -1 : 1));
  return { file, lock, now, failed, changes: lockChanges(lock ?? { servers: new Map() }, now) };
}

/** Writes these changes into the lockfile, and no others. Whatever somebody else wrote there meanwhile stays. */
export async function approveLock({ file, now }: LockInspection, changes: readonly LockChange[]): Promise<void> {
  await withFileLock(file, async () => {
    const present = (await readOrThrow(file)) ?? { servers: new Map() };
    await writeSharedFile(file, formatLock(approve(present, now, changes)));
  });
}

async function lockedNow(host: Host, { id, definition }: LoadedServer): Promise<LockedServer> {
  const tools = await host.listedTools(id);
  return { ...serverTerms(id, definition), tools: new Map(tools.flatMap(lockable)) };
}

function lockable(tool: ToolDefinition): [string, LockedTool][] {
  try {
    return [[tool.name, { fingerprint: toolFingerprint(tool), definition: termsOf(tool) }]];
  } catch {
    return []; // nested so deeply that it cannot be compared: it stays hidden
  }
}

async function readOrThrow(file: string): Promise<LockFile | undefined> {
  const parsed = await readLockfile(file);
  if (!parsed) return undefined;
  if (parsed.ok) return parsed.lock;
  throw new JunctorError(
    'config_invalid',
    `The lockfile ${file} is broken: until it is mended, its servers are not used.`,
    {
      why: parsed.problems.map(describeProblem).join('\n'),
      hint: 'take it from version control again, or remove it',
      command: 'take it from version control again, or remove it and write a new one: junctor lock',
    },
  );
}
