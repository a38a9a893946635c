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
      dying: misbehaving('dies-in-call'),
      hushed: misbehaving('dies-on-stdout'),
      away: remote('http://127.0.0.1:9/mcp'),
      unnamed: remote('http://no-such-host.invalid/mcp'),
      refusing: remote(refusing.url),
      broken: remote(broken.url),
      page: remote(page.url),
      old: { ...testServer('--era', 'legacy'), protocol: 'modern' },
      off: { ...testServer(), enabled: false },
      unset: { ...testServer(), env: { KEY: '${NO_SUCH_VARIABLE}' } },
    };
    // Untrusted ones would all fail for that reason, before anything of theirs is tried.
    const config = { servers: Object.fromEntries(Object.entries(servers).map(([id, one]) => [id, trusted(one)])) };
    await using host = await createHost({ attempts: 1, config });
    const told: Record<string, JunctorError> = {};
    for (const server of [...Object.keys(servers), 'unknown']) {
      told[server] = await host.call({ server, tool: 'crash' }).then(
        () => Promise.reject(new Error(`${server} answered`)),
        (error: JunctorError) => error,
      );
    }
    expect(Object.fromEntries(Object.entries(told).map(([server, { code }]) => [server, code]))).toEqual({
      ...{ missing: 'command_not_found', nowhere: 'folder_not_found', mute: 'timeout' },
      ...{ dead: 'connection_failed', hushed: 'connection_failed', dying: 'connection_lost' },
      ...{ away: 'connection_failed', unnamed: 'connection_failed', refusing: 'connection_failed' },
      ...{ broken: 'connection_failed', page: 'malformed_response', old: 'protocol_unsupported' },
      ...{ off: 'server_unusable', unset: 'server_unusable', unknown: 'server_unknown' },
    });
    const lacking = Object.entries(told).filter(
      ([server, { code, message, hint }]) => !code || !message.includes(`'${server}'`) || !hint,
    );
    expect(lacking.map(([server, error]) => [server, error.code, error.message, error.hint])).toEqual([]);
  });
});
