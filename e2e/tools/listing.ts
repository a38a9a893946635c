/** Servers that list what a test wants them to. */
import { createHost, type Host, type HostOptions, type McpConfigInput, type McpServerInput } from '@junctor/core';
import { type Home, misbehaving, trusted } from '@junctor/testkit';

export interface Listed {
  readonly name: string;
  readonly [field: string]: unknown;
}

/** A tool without arguments. */
export function tool(name: string, more: object = {}): Listed {
  return { name, inputSchema: { type: 'object' }, ...more };
}

/** The definition of a server that lists these tools; its greeting may take a while. */
export async function listing(home: Home, id: string, tools: readonly Listed[], slowMs = 0): Promise<McpServerInput> {
  const file = await home.write(`lists/${id}.json`, JSON.stringify(tools));
  return misbehaving('lists-file', file, `--slow-ms=${slowMs}`);
}

/** A host with trusted servers that list these tools. */
export async function hostListing(
  home: Home,
  lists: Readonly<Record<string, readonly Listed[]>>,
  { config, ...options }: Omit<HostOptions, 'config'> & { readonly config?: object } = {},
): Promise<Host> {
  const servers = await Promise.all(
    Object.entries(lists).map(async ([id, tools]) => [id, trusted(await listing(home, id, tools))] as const),
  );
  return createHost({
    data: home.data,
    ...options,
    config: { version: 1, servers: Object.fromEntries(servers), ...config } as McpConfigInput,
  });
}
