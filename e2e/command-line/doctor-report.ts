/** What `junctor doctor` reports, and how tests ask for it. */
import { type Home, junctor, makeHome } from '@junctor/testkit';
import { expect } from 'vitest';

export interface Step {
  readonly step: string;
  readonly ok: boolean;
  readonly outcome: string;
  readonly detail: string;
  readonly lines?: readonly string[];
  readonly [fact: string]: unknown;
}

interface Examined {
  readonly id: string;
  readonly ok: boolean;
  readonly steps: readonly Step[];
  readonly fix: readonly string[];
}

export interface Report {
  readonly code: number | null;
  readonly ok: boolean;
  readonly servers: readonly Examined[];
  readonly problems: readonly string[];
  readonly orphans: readonly { pid: number; command: string; owner: number }[];
  readonly fix: readonly { server?: string; fix: string }[];
}

const ENDS_ORPHANS = 'end what a Junctor that was killed left behind';

/** A house whose user file has these servers: they need nobody's approval. */
export async function houseOf(servers: Record<string, object>): Promise<Home> {
  const home = await makeHome();
  await home.write('config/junctor/config.json', { version: 1, servers });
  return home;
}

/** Without the orphans of other tests, which kill programs beside this one: doctor looks at the whole machine. */
export async function doctor(
  home: Home,
  words: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<Report> {
  const { code, stdout, stderr } = await junctor(home, ['doctor', ...words, '--json'], { env });
  expect(stderr).toBe('');
  const report = JSON.parse(stdout) as Omit<Report, 'code'>;
  return { ...report, code, orphans: [], fix: report.fix.filter(({ fix }) => !fix.startsWith(ENDS_ORPHANS)) };
}

export function server({ servers }: Report, id: string): Examined {
  return servers.find(one => one.id === id) ?? expect.unreachable(`no server ${id}`);
}

export function step(report: Report, id: string, name: string): Step {
  const { steps } = server(report, id);
  return steps.find(one => one.step === name) ?? expect.unreachable(`no step ${name} in ${JSON.stringify(steps)}`);
}

export function outcomes(report: Report, id: string): Record<string, string> {
  return Object.fromEntries(server(report, id).steps.map(({ step: name, outcome }) => [name, outcome]));
}
