/** The MCP client of Mastra, on the official SDK. */
import { isHttp, type Upstream } from '../contestant.ts';
import { byName, type Call, importFrom, type PeerLibrary, programOf, text } from './peer.ts';

export const mastra: PeerLibrary = {
  name: 'mastra',
  directory: 'mastra',
  package: '@mastra/mcp',
  async connect(upstreams) {
    interface Client {
      listTools(): Promise<Record<string, { execute: Call }>>;
      disconnect(): Promise<void>;
    }
    const { MCPClient } = await importFrom<{ MCPClient: new (o: object) => Client }>('mastra', '@mastra/mcp');
    const transportOf = (upstream: Upstream) =>
      isHttp(upstream) ? { url: new URL(upstream.url) } : { ...programOf(upstream), stderr: 'ignore' };
    const client = new MCPClient({ id: `bench-${process.pid}`, servers: byName(upstreams, transportOf) });
    let tools: Record<string, { execute: Call }> = {};
    return {
      async list() {
        tools = await client.listTools();
        return Object.values(tools);
      },
      call: async (name, args) => text(await tools[`${upstreams[0]?.name}_${name}`]?.execute(args, {})),
      close: () => client.disconnect(),
    };
  },
};
