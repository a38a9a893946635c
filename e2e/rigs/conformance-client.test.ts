import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promise } from '@junctor/testkit';
import { expect, test } from 'vitest';
import { CLIENT, runScenarios } from '../conformance/client-run.ts';
import { clientRuns, suiteVersion } from '../conformance/client-scenarios.ts';
import { expectedFailures } from '../conformance/expected-failures.ts';

const { required, unscored } = await clientRuns();

promise('2.1c', 'all 18 client scenarios that 2025-11-25 requires pass for a host', async () => {
  const outcomes = await runScenarios(required.filter(({ revision }) => revision === '2025-11-25'));
  expect(outcomes.filter(({ passed }) => !passed)).toEqual([]);
  expect(outcomes).toHaveLength(18);
});

promise('2.1f', 'all 32 client scenarios that 2026-07-28 requires pass for a host', async () => {
  const outcomes = await runScenarios(required.filter(({ revision }) => revision === '2026-07-28'));
  expect(outcomes.filter(({ passed }) => !passed)).toEqual([]);
  expect(outcomes).toHaveLength(32);
});

test('of the scenarios that no revision requires, those pass that are not expected to fail, and only those', async () => {
  const expected = expectedFailures('client').map(({ scenario }) => scenario);
  const outcomes = await runScenarios(unscored);
  const surprises = outcomes.filter(({ scenario, passed }) => passed === expected.includes(scenario));
  expect(surprises).toEqual([]);
  const run = outcomes.map(({ scenario }) => scenario);
  expect(expected.filter(scenario => !run.includes(scenario))).toEqual([]);
  expect(outcomes.filter(({ passed }) => passed)).toHaveLength(8);
});

promise('8.27a', 'the client that the suite runs is client.ts, and all it knows of MCP is createHost', async () => {
  const [outcome] = await runScenarios([{ scenario: 'tools_call', revision: '2026-07-28' }]);
  expect(outcome).toMatchObject({ passed: true });
  expect(CLIENT).toContain(join('e2e', 'conformance', 'client.ts'));
  expect(packagesBehind('client.ts')).toEqual(['@junctor/core']);
});

test('the suite is the version these numbers are of', () => {
  expect(suiteVersion()).toBe('0.2.0-alpha.12');
});

/** The packages that a program and the files beside it import. */
function packagesBehind(file: string): string[] {
  const text = readFileSync(join(import.meta.dirname, '..', 'conformance', file), 'utf8');
  const imported = [...text.matchAll(/from '([^']+)'/g)].map(([, name = '']) => name);
  const found = imported.flatMap(name =>
    name.startsWith('./') ? packagesBehind(name) : name.startsWith('node:') ? [] : [name],
  );
  return [...new Set(found)];
}
