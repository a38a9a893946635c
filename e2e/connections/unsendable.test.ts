/** What no header can carry, wherever it comes from: it costs one server its request, and nobody the program. */
import { createHost } from '@junctor/core';
import { describe, expect, test } from 'vitest';
import { openStream, smallHttp } from './small-http.ts';

const hostAt = (server: object, more: object = {}) =>
  createHost({ config: { servers: { x: { transport: 'http', trust: 'trusted', ...server } } }, attempts: 1, ...more });

const REFUSED = { code: 'config_invalid', message: "A header for server 'x' cannot be sent." };

describe('an event id that no header can carry', () => {
  test('on the stream of a call ends that call, and not the program', async () => {
    await using server = await smallHttp(({ asked, response }) => {
      if (asked.method !== 'tools/call') return;
      openStream(response, 'retry: 1\nid: a\u0001b\ndata:\n\n');
      setTimeout(() => response.destroy(), 20);
      return true;
    });
    await using host = await hostAt({ url: server.url });
    const call = host.call({ server: 'x', tool: 'work' });
    await expect(call).rejects.toMatchObject({ code: 'connection_lost', outcome: 'unknown' });
    expect(host.links.state('x').kind).toBe('ready');
  });

  test('on the stream of news leaves the server as it is', async () => {
    let opened = 0;
    await using server = await smallHttp(({ request, response }) => {
      if (request.method !== 'GET') return;
      opened++;
      openStream(response, `retry: 1\nid: ${opened === 1 ? 'a\u0001b' : '☃'}\n\n`);
      setTimeout(() => response.destroy(), 20);
      return true;
    });
    await using host = await hostAt({ url: server.url });
    await host.links.ready('x');
    await expect.poll(() => opened).toBeGreaterThan(2);
    expect((await host.call({ server: 'x', tool: 'work' })).output).toBe('done');
  });
});

const LINE_BREAK: readonly [where: string, server: object, token?: () => string | Promise<string>][] = [
  ['of a provider', { auth_provider: 'mine' }, () => 'abcdef\n'],
  ['of a provider that takes its time', { auth_provider: 'mine' }, async () => 'abcdef\n'],
  ['in a header of the config', { headers: { 'x-key': 'abcdef\n' } }],
  ['in a header of the config, over SSE', { transport: 'sse', headers: { 'x-key': 'abcdef\n' } }],
  ['in a header of the config, over WebSocket', { transport: 'ws', headers: { 'x-key': 'abcdef\n' } }],
];

describe('a line break at the end of a token', () => {
  test.for(LINE_BREAK)('%s is told as what it is', async ([, definition, token]) => {
    await using server = await smallHttp(() => undefined);
    const overWs = 'transport' in definition && definition.transport === 'ws';
    const url = overWs ? server.url.replace('http', 'ws') : server.url;
    await using host = await hostAt({ url, ...definition }, token && { authProvidersById: { mine: { token } } });
    await expect(host.call({ server: 'x', tool: 'work' })).rejects.toMatchObject({ ...REFUSED, outcome: 'not_sent' });
  });
});
