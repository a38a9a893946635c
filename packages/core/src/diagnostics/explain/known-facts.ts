/** Facts from files and from what servers said when they were last connected. Nothing is started. */
import type { Readers } from '../../catalogue/profiles/audience.ts';
import { clientOf } from '../../catalogue/tool-view.ts';
import { agentNaming } from '../../catalogue/tool-views.ts';
import type { McpConfigLoadResult } from '../../config/load.ts';
import { dataDirectory } from '../../config/sources/places.ts';
import type { PrepareOptions } from '../../host/config/prepare.ts';
import { knownTools } from '../../host/lists/known-tools.ts';
import { gateFor } from '../../permissions/gate-for.ts';
import { GrantsFile } from '../../permissions/grants/grants-file.ts';
import { whyDeferred } from './deferred.ts';
import type { ToolFacts } from './facts.ts';

export async function knownFacts(options: PrepareOptions): Promise<ToolFacts> {
  const { agent, surroundings, data } = options;
  const known = await knownTools({
    ...options,
    readers: loaded => readersFor(agent, loaded),
    ...(agent === undefined ? {} : { naming: agentNaming }),
  });
  const { loaded, resolution, lock, snapshot, unseen, untried } = known;
  return {
    written: loaded,
    resolution,
    snapshot,
    unasked: new Map(unseen.map(id => [id, `server '${id}' was never asked what it offers`])),
    failures: new Map(untried.map(({ server, error }) => [server, error])),
    gate: gateFor(loaded, resolution),
    grants: await new GrantsFile(dataDirectory(surroundings, data)).read(),
    lockfileOf: server => lock.fileOf(server),
    deferred: whyDeferred({ written: loaded, resolution, snapshot, readers: readersFor(agent, loaded) }),
  };
}

/** Who reads the tools of an agent: its client. */
export function readersFor(agent: string | undefined, loaded: McpConfigLoadResult): Readers {
  return agent === undefined ? {} : { client: clientOf(agent.toLowerCase(), loaded) };
}
