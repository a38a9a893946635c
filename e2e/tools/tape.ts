/** The commands that record and replay, as servers of a host. */
import { join } from 'node:path';
import { createHost, type Host, type HostOptions } from '@junctor/core';
import { type Home, JUNCTOR, trusted } from '@junctor/testkit';

/** The command line as a server of a config. */
export const command = (home: Home, ...args: string[]) =>
  trusted({ transport: 'stdio', command: process.execPath, args: [JUNCTOR, ...args], env: home.env });

export async function recorder(home: Home, servers: object, id: string, extra: object = {}) {
  const config = await home.write('servers.json', { version: 1, servers, ...extra });
  const file = join(home.path, 'tape.jsonl');
  return { file, server: command(home, 'record', id, file, '--config', config) };
}

export const hostOf = (home: Home, server: object, options: HostOptions = {}): Promise<Host> =>
  createHost({ config: { servers: { s: server } }, data: join(home.path, 'host-data'), attempts: 1, ...options });
