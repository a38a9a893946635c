/** Runs the MCP conformance suite, and reads what it wrote down rather than what it printed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from '@junctor/testkit';

export type Side = 'server' | 'client';

export interface Check {
  readonly id: string;
  readonly description: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

/** Whom the suite tries: a server by its address, a client by its command line, to which the suite adds an address. */
export type Subject =
  | { readonly side: 'server'; readonly url: string }
  | { readonly side: 'client'; readonly command: string; readonly env: Readonly<Record<string, string>> };

export interface SuiteOutcome {
  /** Checks that were made and passed: a scenario that only skipped has none. */
  readonly passed: number;
  /** What was wrong, one line for each check; a warning counts. */
  readonly failed: readonly string[];
  readonly checks: readonly Check[];
}

/** A scenario that ran alone also has what the suite printed, and its exit code: other than 0 where the client failed. */
export interface ScenarioOutcome extends SuiteOutcome, Printed {}

interface Printed {
  readonly exitCode: number | null;
  readonly output: string;
}

export interface Scenarios {
  /** What conformance to the revision requires. */
  readonly required: readonly string[];
  /** What the suite has beside that: extensions, and what came after the revision. */
  readonly unscored: readonly string[];
}

export async function scenariosOf(side: Side, revision: string): Promise<Scenarios> {
  const { output } = await runSuite(['list', '--requirements', revision]);
  const heading = side === 'server' ? 'Server scenarios' : 'Client scenarios';
  const section = output.split('\n\n').find(part => part.startsWith(heading)) ?? '';
  const names = (text: string, line: RegExp): string[] => [...text.matchAll(line)].map(([, name = '']) => name);
  return {
    required: names(section, /^ {2}- (\S+)$/gm),
    unscored: names(output, side === 'server' ? /^ {4}- (\S+) \[server\]$/gm : /^ {4}- (\S+) \[client\]$/gm),
  };
}

/** One scenario in a process of its own. */
export async function runScenario(
  run: Subject & { readonly scenario: string; readonly specVersion: string },
): Promise<ScenarioOutcome> {
  // Without force an extension would be left out: it belongs to no revision.
  const words = ['--scenario', run.scenario, '--spec-version', run.specVersion, '--force'];
  const { outcomes, printed } = await runInto(run, words);
  const [outcome] = outcomes.values();
  if (!outcome) throw new Error(`the suite wrote no checks for ${run.scenario}: ${printed.output}`);
  return { ...outcome, ...printed };
}

/**
 * All scenarios of a revision, required or not, in one process: the suite tries a server with one after the other. Not for
 * clients: it would start one for each scenario, all at the same moment.
 */
export async function runRevision(url: string, revision: string): Promise<Map<string, SuiteOutcome>> {
  return (await runInto({ side: 'server', url }, ['--requirements', revision])).outcomes;
}

/** Outcomes by scenario. */
async function runInto(
  subject: Subject,
  words: readonly string[],
): Promise<{ outcomes: Map<string, SuiteOutcome>; printed: Printed }> {
  const folder = await mkdtemp(join(tmpdir(), 'junctor-conformance-'));
  try {
    const who = subject.side === 'server' ? ['--url', subject.url] : ['--command', subject.command];
    const env = subject.side === 'client' ? subject.env : undefined;
    const printed = await runSuite([subject.side, ...who, ...words, '-o', folder], env);
    const outcomes = new Map<string, SuiteOutcome>();
    for (const file of await readdir(folder, { recursive: true })) {
      if (!file.endsWith('checks.json')) continue;
      outcomes.set(scenarioOf(file), summed(JSON.parse(await readFile(join(folder, file), 'utf8'))));
    }
    return { outcomes, printed };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A scenario has a folder of its own, named after the side, itself and the time; a slash in its name makes two of it. */
function scenarioOf(file: string): string {
  return dirname(file).replace(/^(server|client)-|-\d{4}-\d{2}-\d{2}T[\d-]+Z$/g, '');
}

function summed(checks: readonly Check[]): SuiteOutcome {
  return {
    passed: checks.filter(({ status }) => status === 'SUCCESS').length,
    failed: checks
      .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
      .map(({ id, status, errorMessage, description }) => `${status} ${id}: ${errorMessage ?? description}`),
    checks,
  };
}

const SUITE = join(ROOT, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');

/** The suite bounds each scenario itself; this is for a suite that hangs. */
const MAX_SUITE_MS = 150_000;

async function runSuite(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Printed> {
  const child = spawn(process.execPath, [SUITE, ...args], {
    ...(env ? { env } : {}),
    stdio: ['ignore', 'pipe', 'ignore'],
    // A group of its own, so that a client it started can be ended with it.
    detached: true,
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', text => {
    output += text;
  });
  const overdue = setTimeout(() => endGroup(child), MAX_SUITE_MS);
  const exitCode = await new Promise<number | null>(resolve => child.once('close', resolve));
  clearTimeout(overdue);
  return { exitCode, output };
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended by itself just now.
  }
}
