/** The conformance suite, server side, at the door of one server: over HTTP and over a pipe behind it. */
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeHome, type RunningHub, startHub, testServer, trusted } from '@junctor/testkit';
import { serveHttp } from '@junctor/testkit/test-server';
import { expect, test } from 'vitest';
import { runRevision, scenariosOf } from '../conformance/run-suite.ts';

const REQUIRED = [
  ['2025-11-25', 30],
  ['2026-07-28', 37],
] as const;

/** These have nothing to say here: the one needs streams that are broken off, the other the suite leaves out itself. */
const LEFT_OUT = new Set(['server-sse-polling', 'tasks-status-notifications']);

const RUNS = REQUIRED.flatMap(([revision, count]) =>
  (['http', 'stdio'] as const).map(way => ({ revision, count, way })),
);

test.each(RUNS)(
  'a server of both eras behind the hub conforms to $revision in all $count scenarios, over $way',
  async ({ revision, count, way }) => {
    const upstream = await serveHttp(0, { fixtures: true });
    try {
      await using home = await makeHome();
      const fixture = way === 'http' ? { transport: 'http', url: upstream.url } : testServer('--fixtures');
      await using hub = await startHub(home, { version: 1, servers: { fixture: trusted(fixture) } });
      await using gate = await withToken(hub, '/servers/fixture/mcp');
      const { required, unscored } = await scenariosOf('server', revision);
      expect(required).toHaveLength(count);
      const outcomes = await runRevision(gate.url, revision);
      const failed = [...required, ...unscored].filter(scenario => {
        const { passed = 0, failed: wrong = ['never run'] } = outcomes.get(scenario) ?? {};
        return wrong.length > 0 || passed > 0 === LEFT_OUT.has(scenario);
      });
      expect(failed.map(scenario => [scenario, outcomes.get(scenario)?.failed])).toEqual([]);
    } finally {
      await upstream.close();
    }
  },
  180_000,
);

/** The suite sends no token: somebody has to put one in. */
async function withToken(hub: RunningHub, path: string): Promise<AsyncDisposable & { readonly url: string }> {
  const { port } = new URL(hub.url);
  const gate: Server = createServer((from, to) => {
    const headers = { ...from.headers, authorization: `Bearer ${hub.token}` };
    const passed = request({ host: '127.0.0.1', port, path, method: from.method, headers }, response => {
      to.writeHead(response.statusCode ?? 502, response.headers);
      to.flushHeaders();
      response.on('error', () => to.destroy());
      response.pipe(to);
    });
    passed.on('error', () => to.destroy());
    to.on('close', () => passed.destroy());
    from.pipe(passed);
  });
  await new Promise<void>(resolve => gate.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(gate.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      gate.closeAllConnections();
      await new Promise(resolve => gate.close(resolve));
    },
  };
}
