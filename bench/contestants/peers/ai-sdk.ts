/** The client of the AI SDK: its own, not on the official one. */
import { isHttp, type Upstream } from '../contestant.ts';
import { type Call, each, importFrom, type PeerLibrary, programOf, text } from './peer.ts';

export const aiSdk: PeerLibrary = {
  name: 'ai-sdk',
  directory: 'aisdk',
  package: '@ai-sdk/mcp',
  async connect(upstreams) {
    interface AiClient {
      tools(): Promise<Record<string, { execute: Call }>>;
      close(): Promise<void>;
    }
    const { createMCPClient } = await importFrom<{ createMCPClient(o: object): Promise<AiClient> }>(
      'aisdk',
      '@ai-sdk/mcp',
    );
    const stdio = await importFrom<{ Experimental_StdioMCPTransport: new (o: object) => object }>(
      'aisdk',
      '@ai-sdk/mcp/mcp-stdio',
    );
    const transportOf = (upstream: Upstream) =>
      isHttp(upstream)
        ? { type: 'http', url: upstream.url }
        : new stdio.Experimental_StdioMCPTransport({ ...programOf(upstream), stderr: 'ignore' });
    const clients = await each(upstreams, upstream => createMCPClient({ transport: transportOf(upstream) }));
    let first: Record<string, { execute: Call }> = {};
    return {
      async list() {
        const sets = await each(clients, client => client.tools());
        first = sets[0] ?? {};
        return sets.flatMap(set => Object.values(set));
      },
      call: async (name, args) => text(await first[name]?.execute(args, { toolCallId: '1', messages: [] })),
      close: () => each(clients, client => client.close()),
    };
  },
};
