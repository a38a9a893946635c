/** Finds the tool of a public name that no list of this run has: asks only the servers the name can be of. */
import { isJunctorError, type JunctorError } from '../../base/error.ts';
import { Namer } from '../../catalogue/naming/public-names.ts';
import { entryNamed, type Snapshot } from '../../catalogue/snapshot.ts';
import { toolNotFound } from '../../catalogue/tool-not-found.ts';
import type { View } from '../../catalogue/view.ts';
import { whileUnaborted } from '../../connections/rpc/failures.ts';
import type { ToolRef } from '../../permissions/caller.ts';
import { availabilityOf, whyUnavailable } from '../../resolve/availability.ts';
import type { HostCatalogue, HostCatalogueDeps, MissingToolView } from '../host-catalogue.ts';

type Deps = HostCatalogueDeps & { readonly catalogue: HostCatalogue };

/** Throws the reason of the server the name belongs to, and `tool_not_found` where no server has such a tool. */
export async function findTool(deps: Deps, name: string, signal: AbortSignal | undefined): Promise<ToolRef> {
  const { catalogue, links, offer, views } = deps;
  links.expectOpen();
  const view = await views.of({});
  const servers = await likeliest(deps, name, view);
  let failure: unknown;
  for (const server of servers) {
    try {
      await whileUnaborted(server, signal, offer.collect(server));
    } catch (error) {
      failure ??= error;
      if (signal?.aborted) break;
      continue;
    }
    const snapshot = await offer.snapshot(view, { servers: [server] });
    const entry = entryNamed(snapshot, name) ?? withServerBefore(snapshot, name, view, links.ids);
    if (entry) return entry;
  }
  if (failure !== undefined) throw unsent(failure);
  expectNoneAbsent(deps, name, view);
  // With a server that fits, the others need not be started to know that there is no such tool.
  const snapshot = servers.length > 0 ? await offer.snapshot(view, { servers }) : await catalogue.snapshot();
  const found = entryNamed(snapshot, name) ?? hiddenNamed(name, snapshot, view, links.ids);
  if (found) return found;
  if (servers.length > 0) throw toolNotFound(name, snapshot, []);
  const failed = catalogue.failures().map(({ server }) => server);
  throw toolNotFound(name, snapshot, failed);
}

/** A tool that goes by its own name alone is also found with its server before it: earlier it may have needed that. */
function withServerBefore(
  { byName, appOnly }: Snapshot,
  name: string,
  view: View,
  servers: Iterable<string>,
): ToolRef | undefined {
  const namer = namerOf(view, servers);
  if (!namer.joining.bare) return undefined;
  return [...byName.values(), ...appOnly.values()].find(entry => namer.name(entry).name === name);
}

/** A tool that a lockfile hides has a name all the same: the caller is to learn that it is locked. */
export function hiddenNamed(
  name: string,
  { hidden }: Pick<Snapshot, 'hidden'>,
  view: View,
  servers: Iterable<string>,
): ToolRef | undefined {
  if (hidden.length === 0) return undefined;
  const namer = namerOf(view, servers);
  const found = hidden.find(({ server, name: tool }) => {
    const identity = { server, tool };
    return namer.name(identity).name === name || namer.bareName(identity) === name;
  });
  return found && { server: found.server, tool: found.name };
}

/**
 * Why the tool of a public name is not there, where its server is the reason. Nobody is asked or waited for.
 */
export async function whyToolUnavailable(
  { links, views, config }: HostCatalogueDeps,
  name: string,
  { servers = links.ids, ...view }: MissingToolView,
): Promise<JunctorError | undefined> {
  // A server that the executor has no place for is not on any list; the caller still learns why.
  const leftOut = config.resolution.leftOut.filter(({ kind, next }) => kind === 'policy' && next !== undefined);
  const absent = leftOut.map(({ id }) => id);
  const [server] = namerOf(await views.of(view), [...links.ids, ...absent])
    .serversIn(name)
    .filter(id => servers.includes(id) || absent.includes(id));
  if (server === undefined) return undefined;
  const facts = { servers: new Set(links.ids), leftOut, problems: [] };
  return whyUnavailable(server, availabilityOf(server, facts, links.state(server)));
}

/** The server that is known to have the tool comes first: it may be known from an earlier run. */
async function likeliest({ links, offer }: Deps, name: string, view: View): Promise<readonly string[]> {
  const namer = namerOf(view, links.ids);
  const servers = namer.serversIn(name);
  // A bare name does not say whose it is.
  const { bare = false } = namer.joining;
  if (servers.length < 2 && !bare) return servers;
  const known = entryNamed(await offer.recalled(view, bare ? links.ids : servers), name)?.server;
  return known === undefined ? servers : [known, ...servers.filter(id => id !== known)];
}

/** Throws where the name is of a server that this host does not run: switched off, not approved, written wrongly. */
function expectNoneAbsent({ config, links }: Deps, name: string, view: View): void {
  const { resolution, loaded } = config;
  const absent = [...resolution.leftOut.map(({ id }) => id), ...loaded.problems.flatMap(({ server }) => server ?? [])];
  const [server] = namerOf(view, new Set(absent.filter(id => !resolution.servers.has(id)))).serversIn(name);
  if (server !== undefined) links.expect(server);
}

function namerOf({ naming, audience }: View, servers: Iterable<string>): Namer {
  return new Namer({ strategy: naming, rule: audience?.names, servers });
}

function unsent(error: unknown): unknown {
  if (isJunctorError(error)) error.outcome = 'not_sent';
  return error;
}
