/** A server made with the official SDK v2, which speaks both eras: the peer we must get along with. */
import { createServer } from 'node:http';
import { createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

export function sdkServer(): McpServer {
  const server = new McpServer(
    { name: 'sdk-peer', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true } } },
  );
  server.registerTool(
    'echo',
    { description: 'Returns its text.', inputSchema: z.object({ text: z.string() }) },
    async ({ text }) => ({ content: [{ type: 'text', text }] }),
  );
  server.registerTool(
    'ask_name',
    { description: 'Greets by the name a person gives.', inputSchema: z.object({}) },
    async (_args, context) => {
      const given = context.mcpReq.inputResponses?.name as { action?: string; content?: { name?: string } } | undefined;
      if (given?.action === 'accept') {
        return { content: [{ type: 'text', text: `hello ${given.content?.name}` }] };
      }
      return inputRequired({
        inputRequests: {
          name: inputRequired.elicit({
            message: 'What is your name?',
            requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
          }),
        },
      });
    },
  );
  return server;
}

export interface SdkHttpServer extends AsyncDisposable {
  readonly url: string;
  /** Tells every listener that the list of tools changed. */
  toolsChanged(): void;
  /** Bodies of the requests that came, oldest first. */
  readonly requests: readonly { readonly headers: NodeJS.Dict<string | string[]>; readonly body: RpcBody }[];
}

export interface RpcBody {
  readonly method?: string;
  readonly params?: { readonly _meta?: Record<string, unknown> };
}

/** Serves `/mcp` on a free port; `legacy: 'reject'` speaks the newer era alone. */
export async function serveSdkHttp(legacy?: 'reject'): Promise<SdkHttpServer> {
  const handler = createMcpHandler(() => sdkServer(), legacy ? { legacy } : {});
  const requests: { headers: NodeJS.Dict<string | string[]>; body: RpcBody }[] = [];
  const http = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces);
    if (body.length > 0) requests.push({ headers: request.headers, body: JSON.parse(body.toString()) as RpcBody });
    const abort = new AbortController();
    response.on('close', () => abort.abort());
    const answer = await handler.fetch(
      new Request(`http://127.0.0.1${request.url}`, {
        method: request.method ?? 'GET',
        headers: request.headers as Record<string, string>,
        signal: abort.signal,
        ...(body.length > 0 ? { body } : {}),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.flushHeaders();
    for await (const piece of answer.body ?? []) response.write(piece);
    response.end();
  });
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    requests,
    toolsChanged: () => handler.notify.toolsChanged(),
    async [Symbol.asyncDispose]() {
      await handler.close();
      http.closeAllConnections();
      await new Promise(resolve => http.close(resolve));
    },
  };
}
