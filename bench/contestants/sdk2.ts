/** The official SDK, version 2: one client per server, connected in parallel, as a careful person writes it by hand. */
import { isHttp, type Library, textOf } from './contestant.ts';

export const sdk2: Library = sdkLibrary('sdk2', (_server, tool) => tool);

/** The same on a pipe to the hub, where tools bear the name of their server. */
export const sdk2AtHub: Library = sdkLibrary('junctor connect', (server, tool) => `${server}_${tool}`);

function sdkLibrary(name: string, publicName: (server: string, tool: string) => string): Library {
  return {
    name,
    async connect(upstreams) {
      const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
      const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
      const clients = await Promise.all(
        upstreams.map(async upstream => {
          const client = new Client({ name: 'junctor-bench', version: '1' });
          await client.connect(
            isHttp(upstream)
              ? new StreamableHTTPClientTransport(new URL(upstream.url))
              : new StdioClientTransport({ command: upstream.command, args: [...upstream.args], stderr: 'ignore' }),
          );
          return client;
        }),
      );
      const server = upstreams[0]?.name ?? '';
      return {
        list: async () => (await Promise.all(clients.map(client => client.listTools()))).flatMap(page => page.tools),
        call: async (tool, args) =>
          textOf(await clients[0]?.callTool({ name: publicName(server, tool), arguments: args })),
        close: () => Promise.all(clients.map(client => client.close())),
      };
    },
  };
}
