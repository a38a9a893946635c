/** Facts from a host: what its servers say now, and which of them do not answer. */

import { agentNaming } from '../../catalogue/tool-views.ts';
import type { Host } from '../../host/host.ts';
import type { SnapshotWait } from '../../host/lists/offer.ts';
import { unusableFor } from '../../host/unusable-for.ts';
import { gateFor } from '../../permissions/gate-for.ts';
import { inBrief } from '../../resolve/availability.ts';
import { resolve } from '../../resolve/resolve.ts';
import { whyDeferred } from './deferred.ts';
import type { ToolFacts } from './facts.ts';
import { readersFor } from './known-facts.ts';

export interface LiveQuestion extends SnapshotWait {
  readonly agent?: string | undefined;
  readonly executor?: string | undefined;
}

/** The host may be one of all agents: what this one gets on this executor is resolved here. */
export async function liveFacts(host: Host, { agent, executor, ...wait }: LiveQuestion): Promise<ToolFacts> {
  const { loaded } = host;
  const unusable = unusableFor(host, { agent, executor });
  const resolution = resolve({ config: loaded, agent, executor, starts: true, unusable });
  const naming = agent === undefined ? {} : { naming: agentNaming(loaded) };
  const readers = readersFor(agent, loaded);
  const snapshot = await host.snapshot({ ...readers, ...naming, ...wait });
  const listed = new Set([...snapshot.stale.keys(), ...[...snapshot.byName.values()].map(({ server }) => server)]);
  const waiting = [...resolution.servers.keys()].flatMap((id): [string, string][] => {
    // One that this executor allows, and the host's own does not.
    if (!host.server(id)) return [[id, `server '${id}' does not run here`]];
    const { kind } = host.links.state(id);
    if (kind === 'ready' || listed.has(id)) return [];
    return [
      [id, kind === 'connecting' ? `server '${id}' is ${inBrief('connecting')}` : `server '${id}' was not asked`],
    ];
  });
  return {
    written: loaded,
    resolution,
    snapshot,
    unasked: new Map(waiting),
    failures: new Map(host.failures().map(({ server, error }) => [server, error])),
    gate: gateFor(loaded, host.resolution),
    grants: await host.grants.list(),
    lockfileOf: server => host.lockfileOf(server),
    deferred: whyDeferred({ written: loaded, resolution, snapshot, readers }),
  };
}
