/** The client scenarios of the MCP conformance suite, each with the revision it is run at. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@junctor/testkit';
import { scenariosOf } from './run-suite.ts';

export interface ScenarioRun {
  readonly scenario: string;
  /** A scenario of two revisions is run for each: the messages differ. */
  readonly revision: string;
}

export interface ScenarioRuns {
  /** What conformance to a revision demands of a client. */
  readonly required: readonly ScenarioRun[];
  /** Everything else: what a revision lists without requiring it, and what no revision lists. */
  readonly unscored: readonly ScenarioRun[];
}

const REVISIONS = ['2025-11-25', '2026-07-28'];
const PACKAGE = join(ROOT, 'node_modules', '@modelcontextprotocol', 'conformance');

export async function clientRuns(): Promise<ScenarioRuns> {
  const required: ScenarioRun[] = [];
  const unscored: ScenarioRun[] = [];
  for (const revision of REVISIONS) {
    const listed = await scenariosOf('client', revision);
    required.push(...listed.required.map(scenario => ({ scenario, revision })));
    unscored.push(...listed.unscored.map(scenario => ({ scenario, revision })));
  }
  const known = new Set([...required, ...unscored].map(({ scenario }) => scenario));
  return { required, unscored: [...unscored, ...allScenarios().filter(({ scenario }) => !known.has(scenario))] };
}

/** Each at the oldest revision it is for; extensions, which are for none, at the newest there is. */
function allScenarios(): ScenarioRun[] {
  const printed = execFileSync(process.execPath, [join(PACKAGE, 'dist', 'index.js'), 'list', '--client'], {
    encoding: 'utf8',
  });
  return [...printed.matchAll(/^ {2}- (\S+) \[([^,\]]+)/gm)].map(([, scenario = '', since = '']) => ({
    scenario,
    revision: since === 'extension' ? '2026-07-28' : since,
  }));
}

export function suiteVersion(): string {
  return (JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { version: string }).version;
}
