/** Which definitions a command looks at: what applies here, or one scope as it is, even where a higher layer hides it. */
import type { LayerName, LoadedServer, McpConfigLoadResult } from '@junctor/core/config-read';
import { oneOf } from '../choice.ts';

const LAYERS_OF = {
  project: ['project', 'local', 'explicit'],
  local: ['local'],
  global: ['user'],
} as const satisfies Readonly<Record<string, readonly LayerName[]>>;

export type ReadScope = 'effective' | keyof typeof LAYERS_OF;

const WORDS: readonly ReadScope[] = ['effective', ...(Object.keys(LAYERS_OF) as (keyof typeof LAYERS_OF)[])];

export const READ_SCOPE_OPTION = {
  value: WORDS.join('|'),
  help: 'what applies here, or one scope as it is (default: effective)',
} as const;

export function readScope(given: string | undefined): ReadScope {
  return oneOf('scope', given === 'user' ? 'global' : (given ?? 'effective'), WORDS);
}

/** People who script know the user layer as `global`. */
export function scopeWord(layer: LayerName): string {
  return layer === 'user' ? 'global' : layer;
}

export function isInScope(layer: LayerName, scope: ReadScope): boolean {
  return scope === 'effective' || (LAYERS_OF[scope] as readonly LayerName[]).includes(layer);
}

/** The definition that this scope holds; undefined where it holds none. */
export function definedIn(server: LoadedServer, scope: ReadScope): LoadedServer | undefined {
  if (isInScope(server.layer, scope)) return server;
  const hidden = server.hides.find(({ layer }) => isInScope(layer, scope));
  return hidden && { id: server.id, ...hidden, switched: undefined, hides: [] };
}

/** Those that this scope defines or switches. */
export function serversIn({ servers }: McpConfigLoadResult, scope: ReadScope): LoadedServer[] {
  return [...servers.values()].flatMap(server => {
    const isSwitched = server.switched !== undefined && isInScope(server.switched.layer, scope);
    return definedIn(server, scope) ?? (isSwitched ? server : []);
  });
}
