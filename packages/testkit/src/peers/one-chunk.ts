/** Says everything that belongs to a call in one write: three steps of progress, a log line, and the answer. */
import { createInterface } from 'node:readline';

const line = (message: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
const tools = Array.from({ length: 300 }, (_, at) => ({
  name: at === 0 ? 'work' : `tool_${at}`,
  inputSchema: { type: 'object' },
}));

createInterface({ input: process.stdin }).on('line', text => {
  const { id, method, params } = JSON.parse(text) as {
    id?: number;
    method: string;
    params?: { cursor?: string; _meta?: { progressToken?: number } };
  };
  if (id === undefined) return;
  if (method === 'initialize') {
    const serverInfo = { name: 'one-chunk', version: '1' };
    process.stdout.write(
      line({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } }),
    );
  } else if (method === 'tools/list') {
    // One tool a page: more pages than some clients follow.
    const at = Number(params?.cursor ?? 0);
    const nextCursor = at + 1 < tools.length ? { nextCursor: String(at + 1) } : {};
    process.stdout.write(line({ id, result: { tools: [tools[at]], ...nextCursor } }));
  } else if (method === 'tools/call') {
    const progressToken = params?._meta?.progressToken;
    const steps = [1, 2, 3].map(progress =>
      line({ method: 'notifications/progress', params: { progressToken, progress, total: 3 } }),
    );
    const answer = line({ id, result: { content: [{ type: 'text', text: 'done' }], extra: { kept: [1] } } });
    process.stdout.write(steps.join('') + answer);
  } else process.stdout.write(line({ id, error: { code: -32601, message: 'Method not found' } }));
});
