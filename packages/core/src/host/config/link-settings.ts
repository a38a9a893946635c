/** What links live by, their numbers above all: what the embedding program says, else the config, else the defaults. */
import type { McpConfigLoadResult } from '../../config/load.ts';
import { dataDirectory, ownSurroundings, userConfigDirectory } from '../../config/sources/places.ts';
import type { LinksOptions } from '../../connections/links.ts';
import { Pace, type PaceNumbers } from '../../connections/pace.ts';
import { DEFAULT_LOCAL_AT_ONCE, DEFAULT_REMOTE_AT_ONCE } from '../../connections/slots.ts';
import type { HostOptions } from '../host-options.ts';

const DEFAULT_ATTEMPTS = 5;
/** 100 ms after the first failure, twice as long after each further one. */
const DEFAULT_BACKOFF = { firstMs: 100, factor: 2, longestMs: 10_000 };
const DEFAULT_PING_INTERVAL_MS = 30_000;
const DEFAULT_PING_TIMEOUT_MS = 5000;
const DEFAULT_KEEP_ALIVE_MS = 50_000;

export function linkSettings(
  loaded: McpConfigLoadResult,
  options: HostOptions,
): Pick<LinksOptions, 'environment' | 'secluded' | 'pace' | 'era'> {
  const surroundings = options.surroundings ?? ownSurroundings();
  return {
    environment: surroundings.env,
    secluded: [dataDirectory(surroundings, options.data), userConfigDirectory(surroundings)],
    pace: new Pace(paceNumbers(loaded, options)),
    era: options.era ?? 'modern',
  };
}

export function paceNumbers({ frame }: McpConfigLoadResult, { attempts }: HostOptions): PaceNumbers {
  const { reconnect_attempts, ping_interval_ms, ping_timeout_ms, keep_alive_ms, ...health } = frame.health ?? {};
  const { local_at_once, remote_at_once, slot_until } = frame.startup ?? {};
  return {
    attempts: attempts ?? reconnect_attempts ?? DEFAULT_ATTEMPTS,
    backoff: {
      firstMs: health.reconnect_first_wait_ms ?? DEFAULT_BACKOFF.firstMs,
      factor: health.reconnect_factor ?? DEFAULT_BACKOFF.factor,
      longestMs: health.reconnect_longest_wait_ms ?? DEFAULT_BACKOFF.longestMs,
    },
    pingIntervalMs: ping_interval_ms ?? DEFAULT_PING_INTERVAL_MS,
    pingTimeoutMs: ping_timeout_ms ?? DEFAULT_PING_TIMEOUT_MS,
    keepAliveMs: keep_alive_ms ?? DEFAULT_KEEP_ALIVE_MS,
    localAtOnce: local_at_once ?? DEFAULT_LOCAL_AT_ONCE,
    remoteAtOnce: remote_at_once ?? DEFAULT_REMOTE_AT_ONCE,
    slotUntil: slot_until ?? 'spawned',
  };
}
