/** Sign-ins that the running hub keeps: one on a database has them there, and nothing of them is in the file. */
import type { AuthStatus } from '@junctor/core';
import type { Context } from '../context.ts';
import { HubRest } from './hub-rest.ts';

/** To the servers it has now. */
export async function signInsOfHub(context: Context): Promise<readonly AuthStatus[]> {
  const hub = await HubRest.find(context);
  const { servers = [] } = (await hub?.ask<{ servers: readonly AuthStatus[] }>('/api/sign-ins')) ?? {};
  return servers.filter(({ state }) => state === 'signed_in' || state === 'expired');
}

/** Returns what was removed there, also of a server that it does not have any more. */
export async function signOutOfHub(
  context: Context,
  server: string,
  { account, all }: { readonly account?: string | undefined; readonly all: boolean },
): Promise<readonly string[]> {
  const asked = new URLSearchParams({ all: String(all), ...(account !== undefined && { account }) });
  const hub = await HubRest.find(context);
  const path = `/api/servers/${encodeURIComponent(server)}/sign-in?${asked}`;
  return (await hub?.ask<{ removed: readonly string[] }>(path, { method: 'DELETE' }))?.removed ?? [];
}
