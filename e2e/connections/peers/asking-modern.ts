/** A server of the official SDK, of the 2026-07-28 era: it asks by answering with questions, and shows what came back. */
import { inputRequired, LOG_LEVEL_META_KEY, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const text = (value: unknown) => ({ content: [{ type: 'text' as const, text: JSON.stringify(value) }] });

serveStdio(() => {
  const server = new Server({ name: 'asking', version: '2' }, { capabilities: { tools: {}, logging: {} } });
  server.setRequestHandler('tools/list', async () => ({
    tools: ['ask', 'say', 'level'].map(name => ({ name, inputSchema: { type: 'object' as const } })),
  }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const { name, arguments: args = {} } = params;
    if (name === 'say') await mcpReq.notify({ method: args.method, params: args.params } as never);
    if (name !== 'ask') return text((mcpReq.envelope as Record<string, unknown>)[LOG_LEVEL_META_KEY] ?? null);
    if (mcpReq.inputResponses) return text(mcpReq.inputResponses.it);
    return inputRequired({ inputRequests: { it: { method: args.method, params: args.params } as never } });
  });
  return server;
});
