import { type HttpTestServer, serveHttp } from '@junctor/testkit/test-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runRevision, runScenario, type SuiteOutcome, scenariosOf } from './run-suite.ts';

/** How many scenarios each revision of the protocol requires of a server. */
const REQUIRED = [
  ['2025-11-25', 30],
  ['2026-07-28', 37],
] as const;

/** The suite itself leaves this one out for now. */
const LEFT_OUT = 'tasks-status-notifications';

const LONG_MS = 180_000;

let server: HttpTestServer;

beforeAll(async () => {
  server = await serveHttp(0, { fixtures: true });
});

afterAll(() => server.close());

for (const [revision, count] of REQUIRED) {
  const { required, unscored } = await scenariosOf('server', revision);

  describe(`the test server conforms to ${revision}`, () => {
    let outcomes: Map<string, SuiteOutcome>;

    beforeAll(async () => {
      outcomes = await runRevision(server.url, revision);
    }, LONG_MS);

    test(`in all ${count} scenarios that are required`, () => expect(required).toHaveLength(count));

    test.each([...required, ...unscored])('%s', scenario => {
      const { passed = 0, failed } = outcomes.get(scenario) ?? {};
      expect(failed).toEqual([]);
      expect(passed > 0).toBe(scenario !== LEFT_OUT);
    });
  });
}

test(
  'a server without what a scenario needs does not pass it',
  async () => {
    const plain = await serveHttp(0);
    try {
      const run = { side: 'server', scenario: 'tools-call-image', specVersion: '2025-11-25', url: plain.url } as const;
      expect((await runScenario(run)).failed).not.toEqual([]);
      expect(await runScenario({ ...run, url: server.url })).toMatchObject({ passed: 2, failed: [] });
    } finally {
      await plain.close();
    }
  },
  LONG_MS,
);
