/**
 * Notices when a config file changes, appears or goes. It watches folders, not files: editors save by renaming a new file
 * over the old, and a file that does not exist yet cannot be watched. A symlinked file is watched at both its ends.
 */
import { existsSync, type FSWatcher, readlinkSync, watch } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

export interface FileWatch {
  /** Watches these files from now on, in place of those before. */
  follow(files: readonly string[]): void;
  close(): void;
}

/** Saving is several events; one look after the last is enough. */
const SETTLE_MS = 80;
const MAX_LINKS = 8;

export function watchFiles(files: readonly string[], onChange: () => void): FileWatch {
  const watchers = new Map<string, FSWatcher>();
  let names = new Map<string, Set<string>>();
  let settling: NodeJS.Timeout | undefined;
  const touched = (): void => {
    clearTimeout(settling);
    settling = setTimeout(onChange, SETTLE_MS);
  };
  /** Whether a folder is watched that was not before. */
  const follow = (paths: readonly string[]): boolean => {
    names = namesByFolder(paths);
    for (const [folder, watcher] of watchers) {
      if (names.has(folder)) continue;
      watcher.close();
      watchers.delete(folder);
    }
    let isNew = false;
    for (const folder of names.keys()) {
      if (watchers.has(folder)) continue;
      isNew = true;
      const watcher = open(folder, name => {
        const wanted = names.get(folder);
        // `*` stands for anything in that folder.
        if (name === null || wanted?.has(name) || wanted?.has('*')) touched();
      });
      if (watcher) watchers.set(folder, watcher);
    }
    return isNew;
  };
  follow(files);
  return {
    follow(paths) {
      // What happened in a folder between the last look and its watch is told by nobody.
      if (follow(paths)) touched();
    },
    close() {
      clearTimeout(settling);
      for (const watcher of watchers.values()) watcher.close();
      watchers.clear();
    },
  };
}

function open(folder: string, onEvent: (name: string | null) => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, (_event, name) => onEvent(name));
    // A folder that is removed ends its watch; the folder above tells of its return.
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}

/** The existing folder nearest to each file, and the name in it that would change first. */
function namesByFolder(paths: readonly string[]): Map<string, Set<string>> {
  const names = new Map<string, Set<string>>();
  for (const path of paths.flatMap(linkedPaths)) {
    let [folder, name] = [dirname(path), basename(path)];
    while (!existsSync(folder) && dirname(folder) !== folder) [folder, name] = [dirname(folder), basename(folder)];
    names.set(folder, (names.get(folder) ?? new Set()).add(name));
  }
  return names;
}

/** A path, and what it links to, step by step. */
function linkedPaths(path: string): string[] {
  const paths = [path];
  for (let steps = 0; steps < MAX_LINKS; steps++) {
    const last = paths.at(-1) as string;
    try {
      paths.push(resolve(dirname(last), readlinkSync(last)));
    } catch {
      break; // no link, or not there
    }
  }
  return paths.map(one => join(one));
}
