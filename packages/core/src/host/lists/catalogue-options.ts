/** How long what servers offer is believed, and what is kept of it between runs. */
import { type Clock, systemClock } from '../../base/time/clock.ts';
import { FileMemory, type Memory, NO_MEMORY } from '../../catalogue/lists/memory.ts';
import type { ConfigFrame } from '../../config/schema/schema.ts';
import { dataDirectory, ownSurroundings, type Surroundings } from '../../config/sources/places.ts';

/** How long what servers offer is believed, and what is kept of it between runs. */
export interface CatalogueOptions {
  /**
   * How long a list of tools, resources or prompts counts before the server is asked again. Default: what `catalogue`
   * in the config says, else 300,000 (5 min).
   * 0 switches the cache off: every snapshot asks. Infinity: it counts until the server says that it changed.
   */
  readonly toolsTtlMs?: number | undefined;
  /** Whether a server that says its list changed is asked again. Default: what the config says, else true; the event comes either way. */
  readonly dropOnListChanged?: boolean | undefined;
  /** Whether what servers offer is kept in the data directory for the next run. Default: true. */
  readonly remember?: boolean | undefined;
  /** The time by which lists grow old. */
  readonly clock?: Clock | undefined;
}

/** What the embedding program says, else the config. */
export function listOptions(
  { toolsTtlMs, dropOnListChanged }: CatalogueOptions,
  { catalogue }: Pick<ConfigFrame, 'catalogue'>,
): Pick<CatalogueOptions, 'toolsTtlMs' | 'dropOnListChanged'> {
  return {
    toolsTtlMs: toolsTtlMs ?? catalogue?.ttl_ms,
    dropOnListChanged: dropOnListChanged ?? catalogue?.drop_on_list_changed,
  };
}

const DEFAULT_TTL_MS = 5 * 60_000;

export function listRules({ toolsTtlMs = DEFAULT_TTL_MS, clock = systemClock }: CatalogueOptions): {
  ttlMs: number;
  clock: Clock;
} {
  return { ttlMs: toolsTtlMs, clock };
}

export function memoryFor(
  options: CatalogueOptions & { readonly surroundings?: Surroundings | undefined; readonly data?: string | undefined },
): Memory {
  if (options.remember === false) return NO_MEMORY;
  return new FileMemory(dataDirectory(options.surroundings ?? ownSurroundings(), options.data));
}
