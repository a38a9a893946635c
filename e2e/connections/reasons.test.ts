/** Whatever goes wrong with a server, a person reads what, why and what to do. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHost, type JunctorError } from '@junctor/core';
import { misbehaving, promise, testServer, trusted } from '@junctor/testkit';
import { describe, expect } from 'vitest';

async function answering(status: number, body: string, type = 'text/plain') {
  const http = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise(resolve => http.close(resolve));
    },
  };
}

describe('an error', () => {
  promise('2.6j', 'carries a reason a person can act on, whatever went wrong', async () => {
    await using refusing = await answering(403, 'no entry');
    await using broken = await answering(500, 'boom');
    await using page = await answering(200, '<html>welcome</html>', 'text/html');
    const remote = (url: string) => ({ transport: 'http', url });
    const servers = {
      missing: { transport: 'stdio', command: 'there-is-no-such-program' },
      nowhere: { ...testServer(), cwd: '/there/is/no/such/folder' },
      dead: misbehaving('dies-early'),
      mute: { ...misbehaving('never-answers'), connect_timeout_ms: 300 },
      garbage: { ...misbehaving('talks-garbage'), connect_timeout_ms: 300 },
      away: remote('http://127.0.0.1:9/mcp'),
      unnamed: remote('http://no-such-host.invalid/mcp'),
      refusing: remote(refusing.url),
      broken: remote(broken.url),
      page: remote(page.url),
      old: { ...trusted(testServer('--era', 'legacy')), protocol: 'modern' },
      off: { ...testServer(), enabled: false },
      unset: { ...testServer(), env: { KEY: '${NO_SUCH_VARIABLE}' } },
    };
    await using host = await createHost({ attempts: 1, config: { servers } });
    const told: Record<string, JunctorError> = {};
    for (const server of [...Object.keys(servers), 'unknown']) {
      told[server] = await host.call({ server, tool: 'any' }).then(
        () => Promise.reject(new Error(`${server} answered`)),
        (error: JunctorError) => error,
      );
    }
    const lacking = Object.entries(told).filter(
      ([server, { code, message, hint }]) => !code || !message.includes(`'${server}'`) || !hint,
    );
    expect(lacking.map(([server, error]) => [server, error.code, error.message, error.hint])).toEqual([]);
  });
});
