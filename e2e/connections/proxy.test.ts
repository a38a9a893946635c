/** A company network: remote servers are reached through the proxy that the environment names. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createHost } from '@junctor/core';
import { promise } from '@junctor/testkit';
import { afterEach, expect, vi } from 'vitest';
import { answerSmall } from './small-http.ts';

const before = getCACertificates('default');
afterEach(() => {
  vi.unstubAllEnvs();
  setDefaultCACertificates(before);
});

type Listener = Pick<ReturnType<typeof createServer>, 'listen' | 'close' | 'address' | 'closeAllConnections'>;

async function listen(server: Listener): Promise<{ readonly port: number } & AsyncDisposable> {
  await new Promise<void>(done => server.listen(0, '127.0.0.1', () => done()));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise(done => server.close(done));
    },
  };
}

/** A proxy for which every name leads to this machine. It writes down what it is asked for. */
function proxy(asked: string[]): Listener {
  const server = createServer((request, response) => {
    const url = new URL(String(request.url));
    asked.push(`${request.method} ${url.host}`);
    const { method, headers } = request;
    const passed = forward({ host: '127.0.0.1', port: url.port, path: url.pathname, method, headers }, answer => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  });
  server.on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url}`);
    const there = connect(Number(new URL(`http://${request.url}`).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      there.pipe(socket).pipe(there);
    });
    for (const end of [there, socket]) end.on('error', () => [there, socket].map(one => one.destroy()));
  });
  return server;
}

function call(url: string): Promise<string> {
  return outputOf({ x: { transport: 'http', url, trust: 'trusted', connect_timeout_ms: 20_000 } });
}

async function outputOf(servers: object): Promise<string> {
  await using host = await createHost({ config: { version: 1, servers } as never });
  return (await host.call({ server: 'x', tool: 'work' })).output;
}

promise('2.2l', 'remote servers are reached through the proxy of the environment, over http and https', async () => {
  const asked: string[] = [];
  await using gate = await listen(proxy(asked));
  await using plain = await listen(createServer((request, response) => void answerSmall(request, response)));
  const address = `http://127.0.0.1:${gate.port}`;
  vi.stubEnv('HTTP_PROXY', address);
  vi.stubEnv('https_proxy', address);
  vi.stubEnv('NO_PROXY', 'direct.example');
  vi.stubEnv('no_proxy', undefined);
  vi.stubEnv('http_proxy', undefined);

  expect(await call(`http://remote.example:${plain.port}/mcp`)).toBe('done');
  expect(new Set(asked)).toEqual(new Set([`POST remote.example:${plain.port}`, `GET remote.example:${plain.port}`]));

  asked.length = 0;
  expect(await call(`http://127.0.0.1:${plain.port}/mcp`)).toBe('done');
  await expect(call(`http://direct.example:${plain.port}/mcp`)).rejects.toMatchObject({ code: 'connection_failed' });
  expect(asked).toEqual([]);

  const { key, cert } = certificateFor('remote.example');
  setDefaultCACertificates([...before, cert]);
  await using secure = await listen(
    createSecureServer({ key, cert }, (request, response) => void answerSmall(request, response)) as Listener,
  );
  expect(await call(`https://remote.example:${secure.port}/mcp`)).toBe('done');
  expect(new Set(asked)).toEqual(new Set([`CONNECT remote.example:${secure.port}`]));
});

function certificateFor(name: string): { readonly key: string; readonly cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'junctor-tls-'));
  try {
    const made = [join(folder, 'key.pem'), join(folder, 'cert.pem')] as const;
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`];
    const words = ['req', '-x509', ...kind, ...subject, '-keyout', made[0], '-out', made[1]];
    execFileSync('openssl', words, { stdio: 'ignore' });
    return { key: readFileSync(made[0], 'utf8'), cert: readFileSync(made[1], 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
