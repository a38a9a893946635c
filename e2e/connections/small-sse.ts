/** The smallest server of the older HTTP+SSE transport, which does something else where a test says so. */
import type { ServerResponse } from 'node:http';
import { type Exchange, openStream, type SmallHttp, smallHttp } from './small-http.ts';

const RESULTS: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: '2024-11-05',
    capabilities: { tools: {} },
    serverInfo: { name: 'small', version: '1' },
  },
  'tools/list': { tools: [{ name: 'work', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'done' }] },
};

/** `otherwise` returns true for what it has answered, or will not answer; its `answer` goes to the stream. */
export function smallSse(otherwise: (exchange: Exchange) => true | undefined): Promise<SmallHttp> {
  let stream: ServerResponse | undefined;
  return smallHttp(exchange => {
    const { asked, request, response } = exchange;
    const answer = (message: object): true => {
      // The stream is quicker: its messages may come before the post is over.
      stream?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id: asked.id, ...message })}\n\n`);
      setImmediate(() => response.writeHead(202).end());
      return true;
    };
    if (otherwise({ ...exchange, answer })) return true;
    if (request.method !== 'GET') return answer({ result: RESULTS[asked.method ?? ''] ?? {} });
    stream = response;
    return openStream(response, 'event: endpoint\ndata: /post\n\n');
  });
}
