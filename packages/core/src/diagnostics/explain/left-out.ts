/** Why the config keeps a tool from anybody on this agent and executor: the server as a whole, a filter, a bundle. Pure. */
import { compileGlob } from '../../base/text/glob.ts';
import type { LoadedServer } from '../../config/layers.ts';
import type { McpConfigLoadResult } from '../../config/load.ts';
import { fixFor } from '../../resolve/availability.ts';
import { configMistake } from '../../resolve/config-mistake.ts';
import { agentNamed } from '../../resolve/policy.ts';
import type { Resolution } from '../../resolve/resolve.ts';
import type { LeftOut } from '../../resolve/roster.ts';
import { agentOrigin, frameOrigin, type Origin, serverOrigin } from './origin.ts';

export interface Because {
  /** As a part of a sentence. */
  readonly because: string;
  readonly at: Origin | null;
  /** The next step, as a command where there is one. */
  readonly hint: string;
}

export type Written = Pick<McpConfigLoadResult, 'enabled' | 'servers' | 'frame' | 'layers' | 'problems'>;

/** Why the server is not there at all. */
export function whyServerLeftOut(
  server: LoadedServer,
  leftOut: LeftOut,
  written: Written,
  { agent, executor }: Resolution,
): Because {
  const { id } = server;
  const { because, kind, forRules, next } = leftOut;
  const hint = fixFor(leftOut, executor);
  if (forRules) return { because, at: null, hint };
  if (configMistake(written, agent)?.because === because)
    return {
      because,
      at: (written.enabled ? agentOrigin(written.layers, agent ?? '') : switchOrigin(written.layers)) ?? null,
      hint: next ? hint : '',
    };
  if (kind === 'waiting') return { because, at: serverOrigin(server), hint };
  if (kind === 'policy') return { because, at: policyOrigin(server, written, executor, agent), hint };
  if (next) return { because, at: serverOrigin(server, server.switched?.isMistake ? 'enabled' : undefined), hint };
  if (kind === 'broken') return { because, at: serverOrigin(server), hint };
  if (!written.enabled) {
    const at = switchOrigin(written.layers) ?? null;
    return { because, at, hint: 'set enabled to true there, or remove it' };
  }
  const own = agentNamed(written.frame, agent);
  const switchedOff = own?.enabled === false;
  if (agent !== undefined && (switchedOff || (own?.servers && !own.servers.includes(id)))) {
    const key = switchedOff ? 'enabled' : 'servers';
    const at = agentOrigin(written.layers, agent, key) ?? null;
    return {
      because,
      at,
      hint: switchedOff ? `switch it on for '${agent}'` : `add '${id}' to agents.${agent}.servers`,
    };
  }
  return { because, at: serverOrigin(server, 'enabled'), hint };
}

/** The switch that turns every server off. */
function switchOrigin(layers: Written['layers']): Origin | undefined {
  return frameOrigin(layers, config => (config.enabled === false ? ['enabled'] : undefined));
}

/** Why the tool is left out of a server that is there. */
export function whyToolLeftOut(server: LoadedServer, tool: string, { frame, layers }: Written): Because | undefined {
  const { allow, deny = [] } = server.definition.tools ?? {};
  const at = serverOrigin(server, 'tools');
  const denied = deny.find(pattern => compileGlob(pattern).test(tool));
  if (denied !== undefined)
    return { because: `tools.deny of its server has '${denied}'`, at, hint: `take '${denied}' out of tools.deny` };
  if (allow && !allow.some(pattern => compileGlob(pattern).test(tool)))
    return { because: 'tools.allow of its server does not name it', at, hint: `add '${tool}' to tools.allow` };
  for (const [name, bundle] of Object.entries(frame.bundles ?? {})) {
    if (bundle.serverId !== server.id) continue;
    const key = bundle.denyTools?.includes(tool) ? 'denyTools' : 'allowTools';
    if (key === 'allowTools' && (bundle.allowTools?.includes(tool) ?? true)) continue;
    const origin = frameOrigin(layers, ({ bundles }) => (bundles?.[name] ? ['bundles', name, key] : undefined)) ?? null;
    return key === 'denyTools'
      ? { because: `the bundle '${name}' denies it`, at: origin, hint: `take '${tool}' out of its denyTools` }
      : { because: `the bundle '${name}' does not allow it`, at: origin, hint: `add '${tool}' to its allowTools` };
  }
  return undefined;
}

/** The place that forbids the transport, or the proxy; none where that is so by default. */
function policyOrigin(
  { definition: { transport } }: LoadedServer,
  { layers }: Written,
  executor: string,
  agent: string | undefined,
): Origin | null {
  const keys = [`allow_${transport}` as const, 'stdio_proxy' as const];
  const own = frameOrigin(layers, ({ agents = {} }) => {
    const name = Object.keys(agents).find(one => one.toLowerCase() === agent);
    const policy = name === undefined ? undefined : agents[name]?.executors?.[executor];
    const key = keys.find(one => policy?.[one] === false);
    return name === undefined || key === undefined ? undefined : ['agents', name, 'executors', executor, key];
  });
  const general = frameOrigin(layers, ({ executors }) => {
    const key = keys.find(one => executors?.[executor]?.[one] === false);
    return key === undefined ? undefined : ['executors', executor, key];
  });
  return own ?? general ?? null;
}
