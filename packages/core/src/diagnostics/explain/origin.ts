/** Where something is written: the layer, the file and the line. Pure. */
import { agentId } from '../../config/agent-id.ts';
import type { Path, Place } from '../../config/formats/document.ts';
import type { Layer, LoadedServer } from '../../config/layers.ts';
import { describeRule, patternOf, type WrittenRule } from '../../config/schema/rule-pattern.ts';
import type { PermissionRules } from '../../config/schema/schema.ts';

export interface Origin {
  readonly layer: string;
  readonly source: string;
  /** Absent where it stands in no file. */
  readonly place: Place | null;
}

/** A key of a server; the server itself without one. */
export function serverOrigin(server: LoadedServer, key?: string): Origin {
  const { layer, source, switched } = server;
  if (key === 'enabled' && switched)
    return { layer: switched.layer, source: switched.source, place: switched.placeOf('enabled') ?? null };
  return { layer, source, place: server.placeOf(key) ?? server.placeOf() ?? null };
}

/** What stands in the frame of the highest layer that says it. Layers stand lowest first. */
export function frameOrigin(
  layers: readonly Layer[],
  pathIn: (config: Layer['config']) => Path | undefined,
): Origin | undefined {
  for (const layer of layers.toReversed()) {
    const path = pathIn(layer.config);
    if (path) return { layer: layer.name, source: layer.source, place: layer.placeInFrame?.(path) ?? null };
  }
  return undefined;
}

export function ruleOrigin(layers: readonly Layer[], effect: keyof PermissionRules, rule: string): Origin | undefined {
  return frameOrigin(layers, ({ permissions, agents = {} }) => {
    const at = permissions?.[effect]?.findIndex(written => describeRule(written) === rule) ?? -1;
    if (at >= 0) return ['permissions', effect, at];
    for (const [agent, own] of Object.entries(agents)) {
      const scoped = (written: WrittenRule): string =>
        describeRule({ tools: patternOf(written), agents: [agentId(agent)] });
      const index = own.permissions?.[effect]?.findIndex(written => scoped(written) === rule) ?? -1;
      if (index >= 0) return ['agents', agent, 'permissions', effect, index];
    }
    return undefined;
  });
}

export function agentOrigin(layers: readonly Layer[], agent: string, key?: string): Origin | undefined {
  return frameOrigin(layers, ({ agents = {} }) => {
    const name = Object.keys(agents).find(one => agentId(one) === agentId(agent));
    return name === undefined ? undefined : ['agents', name, ...(key === undefined ? [] : [key])];
  });
}
