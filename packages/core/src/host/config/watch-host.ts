/** Hot reload: a host follows its config files, server by server. */
import { join } from 'node:path';
import { JunctorError as Failure, isJunctorError, type JunctorError } from '../../base/error.ts';
import { candidatePaths, dataDirectory, ownSurroundings, userConfigDirectory } from '../../config/sources/places.ts';
import { type FileWatch, watchFiles } from '../../config/sources/watch.ts';
import { lockfileOf } from '../../permissions/lockfile/lock-place.ts';
import type { ServerChanges } from '../../resolve/compare.ts';
import type { Host } from '../host.ts';
import type { HostOptions } from '../host-options.ts';

/** Told what came of a change. */
export interface HostWatchListener {
  /** The changed config is in use. */
  onReload?(changes: ServerChanges): void;
  /** The files were read again; `changes` may be empty, and problems or approvals may be others than before. */
  onRead?(changes: ServerChanges): void;
  /** A broken edit: the last good config stays in use. */
  onProblem?(error: JunctorError): void;
}

/** Follows files until it is closed; `using` does that. */
export interface HostWatch extends Disposable {
  /** Stops following them. The host lives on. */
  close(): void;
}

/** Reloads the host whenever a file that counts for it changes, appears or goes. */
export function watchHost(host: Host, options: HostOptions, listener: HostWatchListener = {}): HostWatch {
  const surroundings = options.surroundings ?? ownSurroundings();
  const data = dataDirectory(surroundings, options.data);
  // An approval withdrawn, a secret changed, a plugin installed: each changes what may run.
  const besides = [
    join(data, 'trust.json'),
    join(data, 'secrets.json'),
    join(userConfigDirectory(surroundings), 'plugins', '*'),
  ];
  // A folder that is renamed or removed takes its files along without a word about them.
  const folder = options.projectFiles === 'folder' ? [surroundings.cwd] : [];
  const places = { surroundings, lockfile: options.lockfile };
  const lockfiles = (): string[] => [...host.loaded.servers.values()].flatMap(one => lockfileOf(one, places) ?? []);
  const files = (): string[] => [
    ...new Set([...candidatePaths(surroundings, options), ...folder, ...besides, ...host.loaded.files, ...lockfiles()]),
  ];
  let running: Promise<void> = Promise.resolve();
  let closed = false;
  let watch: FileWatch | undefined;
  const reload = async (): Promise<void> => {
    if (closed) return;
    try {
      const changes = await host.reload();
      listener.onRead?.(changes);
      if (changes.added.length + changes.removed.length + changes.changed.length > 0) listener.onReload?.(changes);
    } catch (error) {
      const known = isJunctorError(error)
        ? error
        : new Failure('internal', 'The config could not be read again.', { cause: error });
      listener.onProblem?.(known);
    }
    if (!closed) watch?.follow(files());
  };
  // One after the other: a second save waits for the first reload.
  watch = watchFiles(files(), () => {
    running = running.then(reload);
  });
  const close = (): void => {
    closed = true;
    watch?.close();
  };
  return { close, [Symbol.dispose]: close };
}
