/**
 * A server that writes its answers in whatever shape a test wants: the same JSON-RPC answer, indented, in a batch, with keys
 * that do not belong there. Over stdio and over HTTP, of either era.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `ID` stands for the id of the request, `BODY` for `"result":…` or `"error":…`. */
export const SHAPES = {
  compact: '{"jsonrpc":"2.0","id":ID,BODY}',
  'id last': '{BODY,"jsonrpc":"2.0","id":ID}',
  'an extra key first': '{"x":0,"jsonrpc":"2.0","id":ID,BODY}',
  'an extra key last': '{"jsonrpc":"2.0","id":ID,BODY,"x":{"id":5}}',
  'in a batch': '[{"jsonrpc":"2.0","id":ID,BODY}]',
  'a fraction as id': '{"jsonrpc":"2.0","id":ID.0,BODY}',
  'an error of null': '{"jsonrpc":"2.0","id":ID,"error":null,BODY}',
  'an error of null last': '{"jsonrpc":"2.0","id":ID,BODY,"error":null}',
  'an escaped key': '{"jsonrpc":"2.0","\\u0069d":ID,BODY}',
  'two ids': '{"jsonrpc":"2.0","id":ID,BODY,"id":ID}',
  indented: '{\n  "jsonrpc": "2.0",\n  "id": ID,\n  BODY\n}\n',
  'indented, id last': '{\n  BODY,\n  "jsonrpc": "2.0",\n  "id": ID\n}\n',
} as const;

export type Shape = keyof typeof SHAPES;

/** Those that fit on one line. */
export const ON_ONE_LINE: readonly Shape[] = (Object.keys(SHAPES) as Shape[]).filter(
  shape => !SHAPES[shape].includes('\n'),
);

/** The program: a function of the line that came, so that it can be written into a process of its own as well. */
function answerTo(line: string, isModern: boolean): string | undefined {
  const { id, method, params } = JSON.parse(line) as {
    id?: number;
    method?: string;
    params?: { name?: string; uri?: string; arguments?: Record<string, string>; inputResponses?: object };
  };
  const plain = (result: object): string => JSON.stringify({ jsonrpc: '2.0', id, result });
  const refuse = (code: number, message: string, data?: object): string =>
    JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } });
  if (id === undefined || method === undefined) return undefined;
  const capabilities = { tools: {}, prompts: {}, resources: {} };
  const serverInfo = { name: 'shaped', version: '1' };
  const kept = isModern ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {};
  if (method === 'server/discover' && isModern)
    return plain({ ...kept, supportedVersions: ['2026-07-28'], capabilities, serverInfo });
  if (method === 'initialize' && !isModern) return plain({ protocolVersion: '2025-11-25', capabilities, serverInfo });
  if (method === 'ping') return plain({});
  if (method === 'tools/list')
    return plain({ ...kept, tools: ['say', 'tell'].map(name => ({ name, inputSchema: { type: 'object' } })) });
  if (method === 'prompts/list') return plain({ ...kept, prompts: [{ name: 'say' }] });
  if (method === 'resources/list') return plain({ ...kept, resources: [{ uri: 'own:there', name: 'there' }] });
  if (method === 'resources/templates/list') return plain({ ...kept, resourceTemplates: [] });
  if (method === 'resources/read')
    return refuse(isModern ? -32602 : -32002, `Resource not found: ${params?.uri}`, { uri: params?.uri });
  // What came, letter for letter: numbers too.
  if (params?.name === 'tell') return plain({ ...kept, content: [{ type: 'text', text: line }] });
  if (method !== 'tools/call' && method !== 'prompts/get') return refuse(-32601, `Method not found: ${method}`);
  const { shape = '{"jsonrpc":"2.0","id":ID,BODY}', body = '"result":{}', again = body } = params?.arguments ?? {};
  return shape.replaceAll('ID', String(id)).replaceAll('BODY', () => (params?.inputResponses ? again : body));
}

export function shapedStdio(era: 'legacy' | 'modern' = 'legacy'): {
  transport: 'stdio';
  command: string;
  args: string[];
} {
  const script = `${answerTo.toString()}
require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
  const answer = answerTo(line, ${era === 'modern'});
  if (answer !== undefined) process.stdout.write(answer + '\\n');
});`;
  // As base64: a config takes ${…} in an argument for a variable.
  const written = `eval(Buffer.from('${Buffer.from(script).toString('base64')}', 'base64').toString())`;
  return { transport: 'stdio', command: process.execPath, args: ['-e', written] };
}

export async function serveShaped(
  era: 'legacy' | 'modern' = 'legacy',
): Promise<{ transport: 'http'; url: string } & AsyncDisposable> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const answer = request.method === 'POST' ? answerTo(body, era === 'modern') : undefined;
    if (answer === undefined) response.writeHead(request.method === 'POST' ? 202 : 405).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    transport: 'http',
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

/** A call of `say`, whose answer has this body in this shape. `again`: the body once the client has answered questions. */
export const sayArguments = (shape: Shape, body: string, again?: string): Record<string, string> => ({
  shape: SHAPES[shape],
  body,
  ...(again === undefined ? {} : { again }),
});
