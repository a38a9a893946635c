/** Sign-ins that the running hub keeps: one on a database has them there, and nothing of them is in the file. */
import type { AuthStatus } from '@junctor/core';
import type { Context } from '../context.ts';
import { HubRest } from './hub-rest.ts';

/** To the servers it has now. */
export async function signInsOfHub(context: Context): Promise<readonly AuthStatus[]> {
  const hub = await HubRest.find(context);
  if (!hub) return [];
  const query = new URLSearchParams(await projectThere(context, hub));
  const { servers } = await hub.ask<{ servers: readonly AuthStatus[] }>(`/api/sign-ins?${query}`);
  return servers.filter(({ state }) => state === 'signed_in' || state === 'expired');
}

/** Returns what was removed there, also of a server that it does not have any more. */
export async function signOutOfHub(
  context: Context,
  server: string,
  { account, all }: { readonly account?: string | undefined; readonly all: boolean },
): Promise<readonly string[]> {
  const hub = await HubRest.find(context);
  if (!hub) return [];
  const project = await projectThere(context, hub);
  const asked = new URLSearchParams({ all: String(all), ...(account !== undefined && { account }), ...project });
  const path = `/api/servers/${encodeURIComponent(server)}/sign-in?${asked}`;
  return (await hub.ask<{ removed: readonly string[] }>(path, { method: 'DELETE' })).removed;
}

/** Where the sign-ins of a hub lie in the file, the command has read them there: the hub need not open the project. */
async function projectThere(context: Context, hub: HubRest): Promise<{ readonly project?: string }> {
  const { store } = await hub.ask<{ readonly store: { readonly kind: string } }>('/api/health');
  const project = store.kind === 'postgres' ? await hub.projectOf(context) : undefined;
  return project === undefined ? {} : { project };
}
