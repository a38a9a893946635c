/** A config without what project files ask for beyond their own servers and nobody approved yet. */
import { mergeLayers } from '../layers.ts';
import type { McpConfigLoadResult } from '../load.ts';
import { type AskedPower, describePower, withoutPowers } from './project-powers.ts';
import type { TrustBook } from './trust.ts';

export interface ApprovedConfig {
  readonly loaded: McpConfigLoadResult;
  /** What does not count, for people. */
  readonly unapproved: readonly string[];
  /** The same, as it is written. */
  readonly waiting: readonly AskedPower[];
}

export async function withApprovedPowers(loaded: McpConfigLoadResult, book: TrustBook): Promise<ApprovedConfig> {
  const waiting = (await book.powers(loaded.layers)).filter(({ approved }) => !approved);
  if (waiting.length === 0) return { loaded, unapproved: [], waiting };
  const layers = loaded.layers.map(layer =>
    withoutPowers(
      layer,
      waiting.filter(one => one.layer === layer).map(({ power }) => power),
    ),
  );
  const { servers, frame } = mergeLayers(layers);
  const unapproved = waiting.map(({ layer, power }) => `${describePower(power)} (${layer.source})`);
  return { loaded: { ...loaded, layers, servers, frame, enabled: frame.enabled !== false }, unapproved, waiting };
}
