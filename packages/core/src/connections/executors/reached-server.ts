/** A server that runs over there already, at an address that leads somewhere there alone: the way to it lasts as long as the link. */
import type { Scope } from '../../base/scope.ts';
import type { RemoteEndpoint, ResolvedServer } from '../../resolve/roster.ts';
import type { Site } from '../../resolve/site.ts';
import { at } from '../process/address.ts';
import { accompany, StartedProgram } from '../process/started-program.ts';
import { answering, type StartOptions } from '../process/started-server.ts';
import type { Channel } from '../rpc/channel.ts';
import { startWay } from './start-there.ts';

export async function openReached(
  server: ResolvedServer,
  { site, endpoint }: { readonly site: Site; readonly endpoint: RemoteEndpoint },
  scope: Scope,
  options: StartOptions,
  openChannel: (reached: ResolvedServer) => Promise<Channel>,
): Promise<Channel> {
  const way = await options.pace.slots.local.run(
    () => startWay(server, site, endpoint.url, scope, options),
    options.signal,
  );
  const url = way ? at(way.address, endpoint.url) : endpoint.url;
  const open = (): Promise<Channel> => openChannel({ ...server, site: undefined, endpoint: { ...endpoint, url } });
  if (!way?.started) return open();
  const forwarder = new StartedProgram(server.id, way.started);
  await answering(server, url, forwarder, options.signal);
  try {
    return accompany(await open(), forwarder);
  } catch (error) {
    throw await forwarder.explain(error);
  }
}
