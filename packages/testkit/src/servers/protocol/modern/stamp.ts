/** What every result of the modern era says beside its content. */
import { type Params, record } from '../../rpc.ts';
import type { SharedState } from '../../shared-state.ts';
import { META } from './envelope.ts';

const DEFAULT_LIST_TTL_MS = 60_000;

/** What a client may keep, and for whom. */
const CACHED: Readonly<Record<string, 'public' | 'private'>> = {
  'server/discover': 'public',
  'tools/list': 'public',
  'prompts/list': 'public',
  'resources/list': 'public',
  'resources/templates/list': 'public',
  'resources/read': 'private',
};

export function stamped(method: string, result: object, shared: SharedState): object {
  const { _meta, ...rest } = result as Params;
  const cacheScope = rest.resultType === undefined ? CACHED[method] : undefined;
  return {
    resultType: 'complete',
    ...rest,
    ...(cacheScope ? { ttlMs: shared.options.listTtlMs ?? DEFAULT_LIST_TTL_MS, cacheScope } : {}),
    _meta: { ...record(_meta), [META.serverInfo]: shared.info },
  };
}
