/** Connects its servers one after another, and keeps the first list of tools. */
import { isHttp, type Upstream } from '../contestant.ts';
import { byName, type Call, importFrom, type PeerLibrary, plain, text } from './peer.ts';

export const langchain: PeerLibrary = {
  name: 'langchain',
  directory: 'langchain',
  package: '@langchain/mcp-adapters',
  async connect(upstreams) {
    type Tool = { name: string; invoke: Call };
    interface Client {
      getTools(...servers: string[]): Promise<Tool[]>;
      close(): Promise<void>;
    }
    const { MultiServerMCPClient } = await importFrom<{ MultiServerMCPClient: new (o: object) => Client }>(
      'langchain',
      '@langchain/mcp-adapters',
    );
    const transportOf = (upstream: Upstream) => ({
      transport: isHttp(upstream) ? 'http' : 'stdio',
      ...plain(upstream),
      ...(isHttp(upstream) ? {} : { stderr: 'ignore' }),
    });
    const client = new MultiServerMCPClient({ mcpServers: byName(upstreams, transportOf) });
    let tools: Map<string, Tool> | undefined;
    return {
      async list() {
        const all = await client.getTools();
        tools ??= new Map((await client.getTools(upstreams[0]?.name ?? '')).map(tool => [tool.name, tool]));
        return all;
      },
      call: async (name, args) => text(await tools?.get(name)?.invoke(args)),
      close: () => client.close(),
    };
  },
};
