/** The official SDK, version 1, used as `sdk2` is. */
import { isHttp } from '../contestant.ts';
import { type Arguments, each, importFrom, type PeerLibrary, programOf, text } from './peer.ts';

interface SdkClient {
  connect(transport: object): Promise<void>;
  listTools(): Promise<{ tools: object[] }>;
  callTool(call: { name: string; arguments: Arguments }): Promise<unknown>;
  close(): Promise<void>;
}

export const sdk1: PeerLibrary = {
  name: 'sdk1',
  directory: 'v1',
  package: '@modelcontextprotocol/sdk',
  async connect(upstreams) {
    const load = <T>(file: string) => importFrom<T>('v1', `@modelcontextprotocol/sdk/client/${file}.js`);
    const { Client } = await load<{ Client: new (info: object) => SdkClient }>('index');
    const { StdioClientTransport } = await load<{ StdioClientTransport: new (o: object) => object }>('stdio');
    const { StreamableHTTPClientTransport } = await load<{ StreamableHTTPClientTransport: new (u: URL) => object }>(
      'streamableHttp',
    );
    const clients = await each(upstreams, async upstream => {
      const client = new Client({ name: 'junctor-bench', version: '1' });
      await client.connect(
        isHttp(upstream)
          ? new StreamableHTTPClientTransport(new URL(upstream.url))
          : new StdioClientTransport({ ...programOf(upstream), stderr: 'ignore' }),
      );
      return client;
    });
    return {
      list: async () => (await each(clients, client => client.listTools())).flatMap(page => page.tools),
      call: async (name, args) => text(await clients[0]?.callTool({ name, arguments: args })),
      close: () => each(clients, client => client.close()),
    };
  },
};
