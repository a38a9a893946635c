/** Runs client scenarios of the MCP conformance suite against `client.ts`. */
import { join } from 'node:path';
import { makeHome } from '@junctor/testkit';
import type { ScenarioRun } from './client-scenarios.ts';
import { runScenario } from './run-suite.ts';

export interface ScenarioOutcome extends ScenarioRun {
  readonly passed: boolean;
  /** How many checks succeeded. */
  readonly checks: number;
  /** What was wrong, a sentence each, and what the client said last. */
  readonly faults: readonly string[];
}

/** The suite would start them all at the same moment, and then some fail because the machine is busy. */
const AT_ONCE = 2;

/** Outcomes in the order of the runs. */
export async function runScenarios(runs: readonly ScenarioRun[]): Promise<ScenarioOutcome[]> {
  const outcomes: ScenarioOutcome[] = [];
  const waiting = runs.entries();
  const work = async (): Promise<void> => {
    for (const [index, run] of waiting) outcomes[index] = await runOne(run);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return outcomes;
}

/** What the suite runs. */
export const CLIENT: string = `"${process.execPath}" --conditions=junctor-source "${join(import.meta.dirname, 'client.ts')}"`;

async function runOne({ scenario, revision }: ScenarioRun): Promise<ScenarioOutcome> {
  await using home = await makeHome();
  const run = { side: 'client', scenario, specVersion: revision, command: CLIENT, env: home.env } as const;
  const { passed: checks, failed, exitCode, output } = await runScenario(run);
  const faults = [...failed];
  // The suite calls a scenario good in which nothing at all was checked.
  if (failed.length === 0 && checks === 0) faults.push('nothing was checked');
  else if (failed.length === 0 && exitCode !== 0) faults.push('the client failed, or did not end in time');
  if (faults.length > 0) faults.push(output.slice(-3000));
  return { scenario, revision, passed: faults.length === 0, checks, faults };
}
