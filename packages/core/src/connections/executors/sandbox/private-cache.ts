/**
 * A folder that one server in the sandbox keeps between its starts, where npx, uvx and pip put what they fetched. No server has
 * that of another: what lies there is run at the next start.
 */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Folder } from './sandbox-view.ts';

export interface PrivateCache {
  readonly folder: Folder;
  readonly variables: Readonly<Record<string, string>>;
}

/** Undefined where it cannot be made: the server then starts with an empty one each time. */
export function privateCache(home: string, owner: { server: string; executor: string; cwd: string }) {
  const { server, executor, cwd } = owner;
  const place = createHash('sha256').update(`${executor}\n${cwd}`).digest('hex').slice(0, 12);
  const from = join(home, '.cache', 'junctor', 'sandbox', `${server}-${place}`);
  try {
    mkdirSync(from, { recursive: true, mode: 0o700 });
  } catch {
    return undefined;
  }
  const path = join(home, '.cache');
  const folder: Folder = { path, as: 'writable', from };
  // What keeps its files elsewhere by itself.
  const variables = { npm_config_cache: join(path, 'npm'), UV_PYTHON_INSTALL_DIR: join(path, 'uv-python') };
  return { folder, variables } satisfies PrivateCache;
}
