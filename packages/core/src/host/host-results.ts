/** The rooms a host keeps results in, built from its config: limits, store, cache and statistics. */

import type { Log } from '../base/log/log.ts';
import { systemClock } from '../base/time/clock.ts';
import { OutputChecks, type OutputMode } from '../calls/output-checks.ts';
import { ResultCache } from '../calls/result-cache.ts';
import { type ResultRules, Results, type ResultsParts } from '../calls/results.ts';
import { StatisticsFile } from '../calls/statistics-file.ts';
import type { ToolDefinition } from '../catalogue/entry.ts';
import type { ConfigFrame } from '../config/schema/schema.ts';
import { dataDirectory, ownSurroundings } from '../config/sources/places.ts';
import type { Wallet } from '../connections/auth/tokens/wallet.ts';
import type { Links } from '../connections/links.ts';
import { ArtifactStore, DEFAULT_QUOTAS, type StoreQuotas } from '../results/artifacts/artifact-store.ts';
import { DEFAULT_LIMITS } from '../results/budget/limits.ts';
import type { Prepared } from './config/prepare.ts';
import type { HostOptions } from './host-options.ts';

export type { HostResults };

/** By a function, so that the build can load all of this with the first call: see scripts/seldom.mjs. */
export function openResults(...given: ConstructorParameters<typeof HostResults>): HostResults {
  return new HostResults(...given);
}

class HostResults {
  readonly results: Results;
  readonly outputs: OutputChecks;
  readonly statistics: StatisticsFile;
  readonly #store: ArtifactStore;
  readonly #cache: ResultCache;

  constructor(options: HostOptions, prepared: ConfigRead, { log, ...servers }: Servers & { readonly log: Log }) {
    const data = dataDirectory(options.surroundings ?? ownSurroundings(), options.data);
    const clock = options.clock ?? systemClock;
    const { frame } = prepared.loaded;
    this.statistics = new StatisticsFile(options.remember === false ? undefined : data);
    this.#store = new ArtifactStore(data, { quotas: quotasOf(frame), clock });
    this.#cache = new ResultCache(frame.results?.cache_ttl_ms ?? 0, clock);
    const parts = {
      store: this.#store,
      cache: this.#cache,
      log,
      owner: ownerOf(options),
      cacheKey: cacheKeys(servers),
    };
    this.results = new Results(parts, rulesOf(prepared));
    this.outputs = new OutputChecks({ ...servers, log }, outputModeOf(frame));
  }

  /** Goes over to another config. What is cached counts on where it would be asked for in the same way. */
  configure(prepared: ConfigRead): void {
    const { frame } = prepared.loaded;
    this.#store.quotas = quotasOf(frame);
    this.#cache.ttlMs = frame.results?.cache_ttl_ms ?? 0;
    this.results.configure(rulesOf(prepared));
    this.outputs.mode = outputModeOf(frame);
  }

  /** The server offers something else, or is reached anew: its earlier answers count no more. */
  changed(server: string): void {
    this.#cache.drop(server);
  }

  close(): Promise<void> {
    return this.statistics.flush();
  }
}

type ConfigRead = Pick<Prepared, 'loaded' | 'resolution'>;

/** What has to be known of a server before an answer of its counts again. */
interface Servers {
  readonly links: Links;
  readonly wallet: Wallet;
  readonly list: (server: string) => Promise<readonly ToolDefinition[]>;
  readonly known: (server: string, tool: string) => ToolDefinition | undefined;
}

/** Only what the server itself calls harmless to run twice is not run a second time. */
function cacheKeys({ links, wallet, list }: Servers): ResultsParts['cacheKey'] {
  return async ({ server, tool }) => {
    try {
      const definition = (await list(server)).find(({ name }) => name === tool);
      const { readOnlyHint, idempotentHint } = (definition?.annotations ?? {}) as Record<string, unknown>;
      if (readOnlyHint !== true && idempotentHint !== true) return undefined;
      const known = links.expect(server);
      return { definition: known.definition, credentials: await wallet.for(known)?.authorization() };
    } catch {
      return undefined; // the call itself tells what is wrong
    }
  };
}

/** A session reads its own results, and an agent those of all its sessions without a name. */
function ownerOf({ session, agent }: HostOptions): string {
  return session ?? (agent === undefined ? '' : `agent ${agent}`);
}

function rulesOf({ loaded: { frame }, resolution }: ConfigRead): ResultRules {
  const { max_output_tokens, max_output_tokens_by_tool, max_image_px, max_media_bytes } = frame.results ?? {};
  return {
    limits: {
      maxOutputTokens: max_output_tokens ?? DEFAULT_LIMITS.maxOutputTokens,
      maxImagePx: max_image_px ?? DEFAULT_LIMITS.maxImagePx,
      maxMediaBytes: max_media_bytes ?? DEFAULT_LIMITS.maxMediaBytes,
    },
    perTool: max_output_tokens_by_tool ?? {},
    servers: [...resolution.servers.keys()],
  };
}

function outputModeOf({ results = {} }: ConfigFrame): OutputMode {
  return results.validate_output ?? 'warn';
}

function quotasOf({ results = {} }: ConfigFrame): StoreQuotas {
  return {
    maxBytes: results.store_max_bytes ?? DEFAULT_QUOTAS.maxBytes,
    maxCount: results.store_max_count ?? DEFAULT_QUOTAS.maxCount,
    maxAgeMs: results.store_max_age_ms ?? DEFAULT_QUOTAS.maxAgeMs,
  };
}
