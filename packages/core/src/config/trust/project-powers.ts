/**
 * What a project file says beyond its own servers, and could harm with: rules that let calls run unasked, variables and
 * addresses put into a person's own servers, servers switched on, settings that concern servers and results of others. Each of
 * them counts only once a person approved it. What only takes away (deny, ask, switching off) always does.
 */
import { type Layer, SETTINGS } from '../layers.ts';
import { describeRule, type WrittenRule } from '../schema/rule-pattern.ts';
import type { ConfigFrame, McpConfig } from '../schema/schema.ts';

export type Power =
  | { readonly kind: 'allow'; readonly value: readonly WrittenRule[] }
  | { readonly kind: 'executors'; readonly value: NonNullable<ConfigFrame['executors']> }
  | { readonly kind: 'agents'; readonly value: NonNullable<ConfigFrame['agents']> }
  | { readonly kind: 'bundles'; readonly value: NonNullable<ConfigFrame['bundles']> }
  | { readonly kind: 'settings'; readonly value: Settings }
  | { readonly kind: 'switch-on'; readonly value: string };

type Settings = Pick<ConfigFrame, (typeof SETTINGS)[number]>;

/** One power of one file. */
export interface AskedPower {
  readonly layer: Layer;
  readonly power: Power;
}

export function powersOf({ config }: Pick<Layer, 'config'>): Power[] {
  const powers: Power[] = Object.entries(config.overlays ?? {})
    .filter(([, on]) => on)
    .map(([value]) => ({ kind: 'switch-on', value }));
  if (config.permissions?.allow?.length) powers.push({ kind: 'allow', value: config.permissions.allow });
  if (config.executors) powers.push({ kind: 'executors', value: config.executors });
  if (config.agents) powers.push({ kind: 'agents', value: config.agents });
  if (config.bundles) powers.push({ kind: 'bundles', value: config.bundles });
  const settings = SETTINGS.filter(section => Object.keys(config[section] ?? {}).length > 0);
  if (settings.length > 0) {
    const value = Object.fromEntries(settings.map(section => [section, config[section]])) as Settings;
    powers.push({ kind: 'settings', value });
  }
  return powers;
}

export function withoutPowers(layer: Layer, powers: readonly Power[]): Layer {
  let config: McpConfig = layer.config;
  for (const power of powers) config = without(config, power);
  return { ...layer, config };
}

/** `allow mcp__fs__*`, for people. */
export function describePower({ kind, value }: Power): string {
  if (kind === 'allow') return `allow ${value.map(describeRule).join(', ')}`;
  if (kind === 'switch-on') return `switch on '${value}'`;
  return `${kind} ${JSON.stringify(value)}`;
}

function without(config: McpConfig, power: Power): McpConfig {
  if (power.kind === 'allow') {
    const { allow: _allow, ...restrictions } = config.permissions ?? {};
    return { ...config, permissions: restrictions };
  }
  if (power.kind === 'switch-on') {
    const { [power.value]: _on, ...overlays } = config.overlays ?? {};
    return { ...config, overlays };
  }
  if (power.kind === 'settings') {
    const kept = Object.entries(config).filter(([section]) => !Object.hasOwn(power.value, section));
    return Object.fromEntries(kept) as unknown as McpConfig;
  }
  const { [power.kind]: _dropped, ...rest } = config;
  return power.kind === 'agents' ? { ...rest, agents: restrictionsOf(power.value) } : rest;
}

/** What agents are denied counts without an approval, as every rule that takes away. */
function restrictionsOf(agents: NonNullable<ConfigFrame['agents']>): NonNullable<ConfigFrame['agents']> {
  const restricted = Object.entries(agents).flatMap(([id, { permissions: { ask, deny } = {} }]) =>
    ask || deny ? [[id, { permissions: { ...(ask ? { ask } : {}), ...(deny ? { deny } : {}) } }] as const] : [],
  );
  return Object.fromEntries(restricted);
}
