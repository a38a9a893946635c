/** The official SDK, version 2: one client per server, connected in parallel, as a careful person writes it by hand. */
import { isHttp, type Library, textOf } from './contestant.ts';

export const sdk2: Library = {
  name: 'sdk2',
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
    return {
      list: async () => (await Promise.all(clients.map(client => client.listTools()))).flatMap(page => page.tools),
      call: async (name, args) => textOf(await clients[0]?.callTool({ name, arguments: args })),
      close: () => Promise.all(clients.map(client => client.close())),
    };
  },
};
