/** A person with a browser, a house of their own, and a server that wants a sign-in. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHost, type Host, type HostOptions, type Interaction } from '@junctor/core';
import { type Home, makeHome } from '@junctor/testkit';
import { type Authority, type AuthorityOptions, startAuthority, type VisitOptions } from '@junctor/testkit/authority';

export interface Guarded extends AsyncDisposable {
  readonly authority: Authority;
  readonly home: Home;
  /** A host with the guarded server; closed with the rest. */
  host(options?: HostOptions & { readonly server?: object }): Promise<Host>;
  /** What the file of sign-ins holds. */
  stored(): Promise<{ version: number; servers: Record<string, Record<string, unknown>> }>;
  store(servers: Record<string, object>): Promise<string>;
}

export async function guardedServer(options: AuthorityOptions = {}): Promise<Guarded> {
  const home = await makeHome();
  const authority = await startAuthority(options);
  const hosts: Host[] = [];
  return {
    authority,
    home,
    async host({ server, ...hostOptions }: HostOptions & { readonly server?: object } = {}) {
      const definition = { transport: 'http', url: authority.mcpUrl, trust: 'trusted', ...server };
      const host = await createHost({ data: home.data, config: { servers: { guarded: definition } }, ...hostOptions });
      hosts.push(host);
      return host;
    },
    stored: async () => JSON.parse(await readFile(join(home.data, 'mcp-auth.json'), 'utf8')),
    store: servers => home.write('data/mcp-auth.json', { version: 1, servers }),
    async [Symbol.asyncDispose]() {
      await Promise.all(hosts.map(host => host.close()));
      await authority.close();
      await home[Symbol.asyncDispose]();
    },
  };
}

/** Goes wherever it is sent, signs in there, and comes back. */
export function browser(authority: Authority, options: VisitOptions = {}): Interaction & { readonly visited: URL[] } {
  const visited: URL[] = [];
  return {
    visited,
    visit(url) {
      visited.push(url);
      // Whoever embeds Junctor opens a browser and goes on: it does not wait for the person.
      void authority.browser.visit(url, options).catch(() => {});
    },
  };
}

export const echo = async (host: Host, text = 'hello'): Promise<string> =>
  String((await host.call({ server: 'guarded', tool: 'echo' }, { text })).output);
