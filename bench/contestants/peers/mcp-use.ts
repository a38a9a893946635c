/** Connects its servers one after another. */
import { type Arguments, byName, each, importFrom, type PeerLibrary, plain, text } from './peer.ts';

export const mcpUse: PeerLibrary = {
  name: 'mcp-use',
  directory: 'mcpuse1',
  package: 'mcp-use',
  async connect(upstreams) {
    interface Session {
      listTools(): Promise<object[]>;
      callTool(name: string, args: Arguments): Promise<unknown>;
    }
    interface Client {
      createAllSessions(): Promise<Record<string, Session>>;
      closeAllSessions(): Promise<void>;
    }
    const { MCPClient } = await importFrom<{ MCPClient: new (o: object) => Client }>('mcpuse1', 'mcp-use');
    const client = new MCPClient({ mcpServers: byName(upstreams, plain) });
    const sessions = Object.values(await client.createAllSessions());
    return {
      list: async () => (await each(sessions, session => session.listTools())).flat(),
      call: async (name, args) => text(await sessions[0]?.callTool(name, args)),
      close: () => client.closeAllSessions(),
    };
  },
};
