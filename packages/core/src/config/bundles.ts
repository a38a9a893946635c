/** Bundles: selections of a server's tools. Allow first, then deny; what is denied stays out. */
import type { Layer, LoadedServer } from './layers.ts';
import type { Problem } from './problem.ts';
import type { BundleDef } from './schema/schema.ts';

/** What is wrong with bundles once all layers are known: the server may stand in another file. */
export function checkBundles(layers: readonly Layer[], servers: ReadonlyMap<string, LoadedServer>): Problem[] {
  return [...effective(layers)].flatMap(([name, { bundle, layer }]) => {
    const server = servers.get(bundle.serverId);
    const path = ['bundles', name];
    const at = { file: layer.source, ...layer.placeInFrame?.(path), path: `bundles.${name}` };
    if (!server) {
      const fix = `Name one of: ${[...servers.keys()].join(', ') || 'none is defined'}.`;
      return [
        { ...at, message: `Bundle '${name}' names the server '${bundle.serverId}', which no layer defines.`, fix },
      ];
    }
    if (server.definition.trust !== 'trusted' && bundle.allowTools === undefined) {
      const fix = 'Add allowTools, or set "trust": "trusted" on the server.';
      const message = `Bundle '${name}' needs allowTools: its server '${bundle.serverId}' is untrusted. Until then it offers no tool.`;
      return [{ ...at, message, fix }];
    }
    return [];
  });
}

/** The bundle that counts under each name: that of the highest layer. Layers stand lowest first. */
function effective(layers: readonly Layer[]): Map<string, { bundle: BundleDef; layer: Layer }> {
  return new Map(
    layers.flatMap(layer =>
      Object.entries(layer.config.bundles ?? {}).map(([name, bundle]) => [name, { bundle, layer }] as const),
    ),
  );
}

/**
 * Whether the bundles of a server leave this tool. Several allow lists intersect: an empty intersection allows nothing. What
 * one bundle denies stays out, whatever another allows.
 */
export function inEveryBundle(tool: string, bundles: readonly Pick<BundleDef, 'allowTools' | 'denyTools'>[]): boolean {
  return bundles.every(
    ({ allowTools, denyTools }) => (allowTools?.includes(tool) ?? true) && !denyTools?.includes(tool),
  );
}
