/** A hub in the process of the test: for what no option or variable of the command can say. */
import type { HostOptions } from '@junctor/core';
import { startHub } from '@junctor/hub';
import { type Home, HUB_TOKEN, type RunningHub } from '@junctor/testkit';

export interface HubHere extends AsyncDisposable, Pick<RunningHub, 'url' | 'token' | 'fetch'> {}

export async function startHubHere(
  home: Home,
  options: HostOptions & { readonly policyDirectory?: string; readonly database?: string } = {},
): Promise<HubHere> {
  const { policyDirectory, database, ...hostOptions } = options;
  const surroundings = {
    cwd: home.project,
    home: home.path,
    env: home.env,
    platform: process.platform,
    ...(policyDirectory === undefined ? {} : { policyDirectory }),
  };
  const hub = await startHub({
    hostOptions: { surroundings, data: home.data, naming: 'server_tool', ...hostOptions },
    dataDirectory: home.data,
    address: '127.0.0.1',
    port: 0,
    token: HUB_TOKEN,
    database,
  });
  return {
    url: hub.url,
    token: HUB_TOKEN,
    fetch(path, { token = HUB_TOKEN, ...init } = {}) {
      const headers = new Headers(init.headers);
      headers.set('authorization', `Bearer ${token}`);
      return fetch(`${hub.url}${path}`, { ...init, headers });
    },
    [Symbol.asyncDispose]: () => hub.close(),
  };
}
