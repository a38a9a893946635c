/** A server over HTTPS: its certificate is checked, and who comes back need not introduce itself at length again. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { createHost } from '@junctor/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerSmall } from './small-http.ts';

const missing =
  spawnSync('openssl', ['version']).status === 0 ? undefined : 'there is no openssl to make a certificate';
const before = getCACertificates('default');
let key: string;
let cert: string;

beforeAll(() => {
  if (missing !== undefined) return;
  const folder = mkdtempSync(join(tmpdir(), 'junctor-tls-'));
  const made = [join(folder, 'key.pem'), join(folder, 'cert.pem')] as const;
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', ['req', '-x509', ...kind, ...name, '-keyout', made[0], '-out', made[1]], { stdio: 'ignore' });
  [key, cert] = [readFileSync(made[0], 'utf8'), readFileSync(made[1], 'utf8')];
  rmSync(folder, { recursive: true });
});
afterAll(() => setDefaultCACertificates(before));

test('a certificate nobody vouches for is refused; behind a good one, later connections resume the first', async context => {
  context.skip(missing !== undefined, missing);
  const resumed: boolean[] = [];
  const hosts: (string | undefined)[] = [];
  const https = createServer({ key, cert }, (request, response) => {
    resumed.push((request.socket as TLSSocket).isSessionReused());
    hosts.push(request.headers.host);
    // Each request comes by a connection of its own.
    response.setHeader('connection', 'close');
    void answerSmall(request, response);
  });
  await new Promise<void>(resolve => https.listen(0, '127.0.0.1', resolve));
  const place = `localhost:${(https.address() as AddressInfo).port}`;
  const hostAt = () =>
    createHost({ config: { servers: { x: { transport: 'http', url: `https://${place}/mcp`, trust: 'trusted' } } } });
  try {
    {
      await using host = await hostAt();
      await expect(host.call({ server: 'x', tool: 'work' })).rejects.toMatchObject({
        code: 'connection_failed',
        why: expect.stringContaining('SELF_SIGNED'),
      });
    }
    expect(hosts).toEqual([]);
    setDefaultCACertificates([...before, cert]);
    await using host = await hostAt();
    for (let calls = 0; calls < 3; calls++)
      expect((await host.call({ server: 'x', tool: 'work' })).output).toBe('done');
    expect([resumed[0], resumed.at(-1)]).toEqual([false, true]);
    expect(new Set(hosts)).toEqual(new Set([place]));
  } finally {
    await new Promise(resolve => https.close(resolve).closeAllConnections());
  }
});
