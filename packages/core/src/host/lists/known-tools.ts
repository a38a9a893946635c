/** What servers offered when they were last connected, told without starting a single one. */
import type { JunctorError } from '../../base/error.ts';
import { FileMemory } from '../../catalogue/lists/memory.ts';
import { recallTools } from '../../catalogue/lists/recall-tools.ts';
import type { Readers } from '../../catalogue/profiles/audience.ts';
import { type Snapshot, type ToolList, takeSnapshot } from '../../catalogue/snapshot.ts';
import { toolView } from '../../catalogue/tool-view.ts';
import type { NamingChoice } from '../../catalogue/tool-views.ts';
import type { View } from '../../catalogue/view.ts';
import type { McpConfigLoadResult } from '../../config/load.ts';
import { dataDirectory } from '../../config/sources/places.ts';
import type { ToolLock } from '../../permissions/lockfile/tool-lock.ts';
import { availabilityOf, troubledServers, whyUnavailable } from '../../resolve/availability.ts';
import type { Resolution } from '../../resolve/resolve.ts';
import type { ResolvedServer } from '../../resolve/roster.ts';
import { type PrepareOptions, prepare } from '../config/prepare.ts';

export interface KnownTools {
  readonly loaded: McpConfigLoadResult;
  readonly resolution: Resolution;
  readonly lock: ToolLock;
  /** All of it is stale: nobody was asked. */
  readonly snapshot: Snapshot;
  /** How the tools are shown. */
  readonly view: View;
  /** Servers that were never listed as they are defined now: only asking them tells what they offer. */
  readonly unseen: readonly string[];
  /** Servers that could not be asked either. */
  readonly untried: readonly { readonly server: string; readonly error: JunctorError }[];
}

export interface KnownToolsOptions extends PrepareOptions {
  /** How tools are called in public. */
  readonly naming?: NamingChoice | undefined;
  /** Who reads the tools; a function where the config decides that. */
  readonly readers?: Readers | ((loaded: McpConfigLoadResult) => Readers);
  /** Of this server alone. */
  readonly only?: string | undefined;
}

export async function knownTools(options: KnownToolsOptions): Promise<KnownTools> {
  const { loaded, resolution, lock } = await prepare(options);
  const memory = new FileMemory(dataDirectory(options.surroundings, options.data));
  const lists = new Map<string, ToolList>();
  const unseen: string[] = [];
  const wanted =
    options.only === undefined ? [...resolution.servers.values()] : [expectServer(resolution, loaded, options.only)];
  const recalled = wanted.map(server => recallTools(memory, server));
  for (const [index, server] of wanted.entries()) {
    const listing = recalled[index];
    if (!listing) unseen.push(server.id);
    else {
      const offered = listing.items.filter(({ name }) => server.offers(name));
      const { tools, hidden } = lock.sift(server.id, offered);
      lists.set(server.id, { tools, hidden, skipped: listing.skipped, staleSince: new Date(listing.at) });
    }
  }
  const readers = typeof options.readers === 'function' ? options.readers(loaded) : options.readers;
  const naming = typeof options.naming === 'function' ? options.naming(loaded) : options.naming;
  const view = toolView({ ...readers, naming }, loaded);
  const snapshot = takeSnapshot(lists, { number: 1, view, servers: resolution.servers.keys() });
  return {
    loaded,
    resolution,
    lock,
    snapshot,
    view,
    unseen,
    untried: troubledServers({ ...resolution, problems: [] }),
  };
}

function expectServer({ servers, leftOut }: Resolution, { problems }: McpConfigLoadResult, id: string): ResolvedServer {
  const server = servers.get(id);
  if (server) return server;
  throw whyUnavailable(id, availabilityOf(id, { servers, leftOut, problems }));
}
