import { type Host, type Resolution, type ResolveInput, resolve } from '@junctor/core';
import { maskDefinition } from '@junctor/core/config-read';
import { unusableFor } from '@junctor/core/internal';

/** As the files and the database say it, before variables and secrets are filled in: nothing secret is in it. */
export function resolutionOf(
  host: Host,
  { agent, executor, ...run }: Pick<ResolveInput, 'session' | 'starts'> & { agent: string; executor: string },
): Resolution {
  const unusable = unusableFor(host, { agent, executor });
  const servers = new Map(
    [...host.loaded.servers].map(([id, server]) => [id, { ...server, definition: maskDefinition(server.definition) }]),
  );
  return resolve({ config: { ...host.loaded, servers }, agent, executor, ...run, unusable });
}
