/** A hub behind a real nginx that speaks TLS, set up as docs/teams.md tells. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { type Home, makeHome, quietPort, startHub, testServer, trusted } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { hasNginx } from '../../scripts/system-parts.mjs';
import { blocksOf } from '../docs/run-page.ts';
import { answer, waiting } from '../hub/asking.ts';
import { RawClient } from '../hub/rpc.ts';

const MISSING = 'there is no nginx here; to run it: apt-get install -y nginx-light openssl';
const CONFIG = { version: 1, servers: { demo: trusted(testServer()) }, permissions: { ask: ['mcp__demo__fail'] } };
const before = getCACertificates('default');

/** What the page tells to write: a map beside the server, and a place in it. */
function told(hubPort: number): { readonly beside: string; readonly inside: string } {
  const block = blocksOf('docs/teams.md', 'text').find(({ text }) => text.includes('proxy_pass'))?.text ?? '';
  const [beside = '', inside = ''] = block.replace('127.0.0.1:7717', `127.0.0.1:${hubPort}`).split(/\n\n/);
  return { beside, inside };
}

async function startNginx(home: Home, { port, hubPort }: { port: number; hubPort: number }) {
  const folder = join(home.path, 'nginx');
  mkdirSync(folder);
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', ['req', '-x509', ...kind, ...name, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const { beside, inside } = told(hubPort);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    what => `${what}_temp_path ${folder}/${what};`,
  );
  const config = `
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    daemon off; pid ${folder}/pid; error_log stderr; worker_processes 1;
    events { worker_connections 64; }
    http {
      access_log off; ${temporary.join(' ')}
      ${beside}
      server {
        listen 127.0.0.1:${port} ssl; server_name localhost;
        ssl_certificate ${cert}; ssl_certificate_key ${key};
        ${inside}
      }
    }`;
  const child = spawn('nginx', ['-e', 'stderr', '-c', await home.write('nginx/nginx.conf', config)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', chunk => {
    complaints += chunk;
  });
  setDefaultCACertificates([...before, readFileSync(cert, 'utf8')]);
  return {
    complaints: () => complaints,
    async [Symbol.asyncDispose]() {
      setDefaultCACertificates(before);
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

test.skipIf(!hasNginx())(`every way to a hub leads through nginx${hasNginx() ? '' : ` (${MISSING})`}`, async () => {
  await using home = await makeHome();
  const [port, hubPort] = [await quietPort(), await quietPort()];
  const url = `https://localhost:${port}/junctor`;
  await using hub = await startHub(home, CONFIG, ['--public-url', url, '--port', String(hubPort)]);
  await using nginx = await startNginx(home, { port, hubPort });
  const alive = () => fetch(`${url}/healthz`).then(({ status }) => status, nginx.complaints);
  await expect.poll(alive).toBe(200);
  const headers = { authorization: `Bearer ${hub.token}` };
  const through = {
    ...hub,
    fetch: (path: string, init: RequestInit = {}) =>
      fetch(`${url}${path}`, { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), ...headers } }),
  };
  const page = await fetch(`${url}/`);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id=')]);
  // A stream comes as it is written, not when it is full.
  const events = await through.fetch('/api/events');
  const reader = (events.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toContain(': here');
  const client = await RawClient.open(through, '/mcp/codex');
  const text = 'x'.repeat(2_000_000);
  expect(JSON.stringify(await client.call(1, 'demo_echo', { text }))).toContain(text);
  let heard = '';
  while (!heard.includes('tool-call-end')) heard += (await reader.read()).value;
  await reader.cancel();
  // A call waits for a person, who answers through nginx too.
  const asked = client.call(2, 'demo_fail', {});
  const [question] = await waiting(through);
  expect((await answer(through, question?.id ?? '', { answer: 'once' })).status).toBe(200);
  expect((await asked).at(-1)?.result).toMatchObject({ isError: true });

  const socket = new WebSocket(`${url.replace('https', 'wss')}/ws/codex`, {
    headers,
    ca: readFileSync(join(home.path, 'nginx', 'cert.pem')),
  });
  await once(socket, 'open');
  socket.send('no JSON');
  expect(JSON.parse(String((await once(socket, 'message'))[0]))).toMatchObject({ error: { code: -32700 } });
  socket.terminate();
  const sse = await through.fetch('/sse/codex', { headers: { accept: 'text/event-stream' } });
  const first = (sse.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  expect((await first.read()).value).toContain('data: /junctor/sse/codex?session=');
  await first.cancel();
});
