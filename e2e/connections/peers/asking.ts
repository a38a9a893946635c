/**
 * A server of the official SDK, of the era up to 2025-11-25. It asks its client whatever a test wants asked, tells what it
 * got, and shows what it heard. Its capabilities are the first argument, as JSON.
 */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  ResultSchema,
  SetLevelRequestSchema,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/sdk/types.js';

const capabilities = { tools: {}, ...JSON.parse(process.argv[2] ?? '{}') };
const server = new Server({ name: 'asking', version: '1' }, { capabilities });
const heard: object[] = [];
let refused = 0;

const text = (value: unknown): object => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });

server.fallbackNotificationHandler = async ({ method, params }) => void heard.push({ method, params });
if (capabilities.logging) {
  server.setRequestHandler(SetLevelRequestSchema, async ({ params }) => {
    heard.push({ method: 'logging/setLevel', params });
    return {};
  });
}
server.setRequestHandler(ListToolsRequestSchema, async () => ({
  tools: ['ask', 'client', 'heard', 'say', 'visit'].map(name => ({ name, inputSchema: { type: 'object' as const } })),
}));

server.setRequestHandler(CallToolRequestSchema, async ({ params }, { sendRequest, sendNotification, signal }) => {
  const { name, arguments: args = {} } = params;
  switch (name) {
    case 'ask':
      try {
        const request = { method: args.method, params: args.params } as never;
        return text({ result: await sendRequest(request, ResultSchema, { signal, timeout: 60_000 }) });
      } catch (error) {
        return text({ error: { code: (error as { code?: number }).code, message: (error as Error).message } });
      }
    case 'client':
      return text(server.getClientCapabilities());
    case 'heard':
      return text(heard);
    case 'say':
      // As it is: the SDK would hold back what is below the level it was given.
      await sendNotification({ method: args.method, params: args.params } as never);
      return text('said');
    default:
      // Wants pages visited first, as often as it is told to.
      if (refused++ < Number(args.times)) throw new UrlElicitationRequiredError(args.pages as never);
      return text('done');
  }
});

await server.connect(new StdioServerTransport());
