/** A server of 2025-11-25 that says hello with these capabilities, and has nothing else. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Home } from '@junctor/testkit';
import { type Said, type WatchedStdio, watchedStdio } from './watched.ts';

const hello = (capabilities: object) => ({
  protocolVersion: '2025-11-25',
  capabilities,
  serverInfo: { name: 'small', version: '1' },
});

export async function smallHttp(capabilities: object) {
  const said: Said[] = [];
  const http = createServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    const message = (await json(request)) as Said;
    said.push(message);
    if (message.id === undefined) return response.writeHead(202).end();
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: hello(capabilities) }));
  });
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    said: () => said,
    async [Symbol.asyncDispose]() {
      await new Promise(resolve => http.close(resolve).closeAllConnections());
    },
  };
}

export async function smallStdio(home: Home, capabilities: object): Promise<WatchedStdio> {
  const program = await home.write(
    'small.mjs',
    `import { createInterface } from 'node:readline';
     for await (const line of createInterface({ input: process.stdin })) {
       const { id } = JSON.parse(line);
       const result = ${JSON.stringify(hello(capabilities))};
       if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
     }`,
  );
  return watchedStdio(home, { transport: 'stdio', command: process.execPath, args: [program] }, 'small.jsonl');
}
