/** The bench's raw clients on an http endpoint: a gateway's, or the server's own. */
import { type Connection, type Front, textOf } from './contestants/contestant.ts';
import { openHttp } from './raw-client/http.ts';
import { listTools, type RawClient } from './raw-client/json-rpc.ts';
import { openSse } from './raw-client/sse.ts';

export interface Endpoint {
  readonly front: Front;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export function openClient({ front, url, headers }: Endpoint): Promise<RawClient> {
  return front === 'sse' ? openSse(url) : openHttp(url, headers);
}

export async function openEndpoint(endpoint: Endpoint): Promise<Connection> {
  const client = await openClient(endpoint);
  const publicName = await publicNames(client);
  return {
    list: () => listTools(client),
    call: async (tool, args) => textOf(await client.request('tools/call', { name: publicName(tool), arguments: args })),
    close: () => client.close(),
  };
}

/** Gateways put something before the names of tools, each its own. */
export async function publicNames(client: RawClient): Promise<(tool: string) => string> {
  const names = (await listTools(client)).map(({ name }) => name);
  const found = new Map(['echo', 'big', 'touch'].map(tool => [tool, names.find(name => name.endsWith(tool))]));
  return tool => found.get(tool) ?? tool;
}
