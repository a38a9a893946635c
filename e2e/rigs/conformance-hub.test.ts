/** The conformance suite, server side, at both endpoints of the hub: over HTTP and over a pipe behind it. */
import { makeHome, promise, startHub, testServer, trusted } from '@junctor/testkit';
import { serveHttp } from '@junctor/testkit/test-server';
import { describe, expect } from 'vitest';
import { runRevision, scenariosOf } from '../conformance/run-suite.ts';
import { suiteGate } from './suite-gate.ts';

const REQUIRED = [
  ['2025-11-25', 30],
  ['2026-07-28', 37],
] as const;

/** These have nothing to say here: the one needs streams that are broken off, the other the suite leaves out itself. */
const LEFT_OUT = new Set(['server-sse-polling', 'tasks-status-notifications']);

/**
 * What the hub does otherwise on purpose; no revision requires it. The suite wants a call refused that needs a task, where the
 * client knows none: the hub follows the task. An agent reads schemas in the words that its model takes.
 */
const FOLLOWS_TASKS = 'tasks-required-task-error';
const FITS_SCHEMAS = 'json-schema-2020-12';

const ENDPOINTS = [
  { endpoint: 'a server', path: '/servers/fixture/mcp', server: undefined, otherwise: [FOLLOWS_TASKS] },
  { endpoint: 'an agent', path: '/mcp/codex', server: 'fixture', otherwise: [FOLLOWS_TASKS, FITS_SCHEMAS] },
];

const RUNS = REQUIRED.flatMap(([revision, count]) =>
  (['http', 'stdio'] as const).map(way => ({ revision, count, way })),
);

describe.each(ENDPOINTS)('at the endpoint of $endpoint', ({ path, server, otherwise }) => {
  for (const { revision, count, way } of RUNS) {
    promise(
      '11.1f',
      `a server of both eras conforms to ${revision} in all ${count} scenarios, over ${way}`,
      async () => {
        const upstream = await serveHttp(0, { fixtures: true });
        try {
          await using home = await makeHome();
          const fixture = way === 'http' ? { transport: 'http', url: upstream.url } : testServer('--fixtures');
          // The suite lists before it calls, and expects to find what it calls.
          const config = { version: 1, servers: { fixture: trusted(fixture) }, search: { enabled: false } };
          await using hub = await startHub(home, config);
          await using gate = await suiteGate(hub, path, server);
          const { required, unscored } = await scenariosOf('server', revision);
          expect(required).toHaveLength(count);
          const outcomes = await runRevision(gate.url, revision);
          const failed = [...required, ...unscored].filter(scenario => {
            const { passed = 0, failed: wrong = ['never run'] } = outcomes.get(scenario) ?? {};
            if (otherwise.includes(scenario)) return required.includes(scenario);
            return wrong.length > 0 || passed > 0 === LEFT_OUT.has(scenario);
          });
          expect(failed.map(scenario => [scenario, outcomes.get(scenario)?.failed])).toEqual([]);
        } finally {
          await upstream.close();
        }
      },
      180_000,
    );
  }
});
