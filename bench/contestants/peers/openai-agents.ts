/** The MCP servers of the OpenAI Agents SDK, as it hands them to an agent. */
import { isHttp } from '../contestant.ts';
import { type Arguments, each, importFrom, type PeerLibrary, plain, text } from './peer.ts';

export const openaiAgents: PeerLibrary = {
  name: 'openai-agents',
  directory: 'openai',
  package: '@openai/agents',
  async connect(upstreams) {
    interface Server {
      connect(): Promise<void>;
      listTools(): Promise<object[]>;
      callTool(name: string, args: Arguments): Promise<unknown>;
      close(): Promise<void>;
    }
    type Servers = Record<'MCPServerStdio' | 'MCPServerStreamableHttp', new (o: object) => Server>;
    const { MCPServerStdio, MCPServerStreamableHttp } = await importFrom<Servers>('openai', '@openai/agents');
    const servers = await each(upstreams, async upstream => {
      const options = { name: upstream.name, ...plain(upstream) };
      const server = isHttp(upstream) ? new MCPServerStreamableHttp(options) : new MCPServerStdio(options);
      await server.connect();
      return server;
    });
    return {
      list: async () => (await each(servers, server => server.listTools())).flat(),
      call: async (name, args) => text(await servers[0]?.callTool(name, args)),
      close: () => each(servers, server => server.close()),
    };
  },
};
