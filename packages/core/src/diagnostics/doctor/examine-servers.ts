/** A visit of the doctor: one server, or all of them, and once the machine. It changes nothing and leaves nothing running. */
import { isJunctorError, JunctorError, sentenceOf } from '../../base/error.ts';
import { Redactor } from '../../base/log/redact.ts';
import { plainText } from '../../base/text/plain-text.ts';
import type { ToolDefinition } from '../../catalogue/entry.ts';
import { describeFit } from '../../catalogue/fit-report.ts';
import { type ToolList, takeSnapshot } from '../../catalogue/snapshot.ts';
import { toolView } from '../../catalogue/tool-view.ts';
import type { ToolView } from '../../catalogue/tool-views.ts';
import { describeProblem } from '../../config/problem.ts';
import { ownSurroundings } from '../../config/sources/places.ts';
import { Slots } from '../../connections/slots.ts';
import { createHost } from '../../host/create-host.ts';
import type { Host } from '../../host/host.ts';
import type { HostOptions } from '../../host/host-options.ts';
import { approveRules } from '../../resolve/availability.ts';
import { unknownServer } from '../../resolve/unknown-server.ts';
import { examine } from './examine.ts';
import { type Finding, failed } from './finding.ts';
import type { Practice } from './look.ts';
import { findOrphans } from './orphans.ts';
import { type ConfigTrouble, type DoctorReport, doctorReport, type ServerReport, serverReport } from './report.ts';

/** What to look at, and how. */
export interface DoctorOptions extends HostOptions {
  /** The one server to look at. Default: all of them. */
  readonly server?: string | undefined;
  /** How long one try of a server may take. Default: what it is given elsewhere, but at most 15 s. */
  readonly timeoutMs?: number | undefined;
  /** Told of each step of each server as it is done. */
  readonly onFinding?: ((server: string, finding: Finding) => void) | undefined;
  /** Told of each server once all its steps are done. */
  readonly onServer?: ((report: ServerReport) => void) | undefined;
  /** Who is to read the tools, and how they are named for that: what they get otherwise is told as well. */
  readonly view?: ToolView | undefined;
}

/** More at once would slow each other down, and be taken for slow servers. */
const AT_ONCE = 3;

export async function examineServers(given: DoctorOptions = {}): Promise<DoctorReport> {
  const { server: only, timeoutMs, view: wanted, onFinding: tell, onServer, ...rest } = given;
  const redactor = given.redactor ?? new Redactor();
  const signal = given.signal ?? new AbortController().signal;
  const surroundings = given.surroundings ?? ownSurroundings();
  const options: HostOptions = { ...rest, surroundings, redactor, remember: false, connect: 'lazy' };
  await using host = await createHost(options);
  const practice: Practice = { host, options, environment: surroundings.env, redactor, signal };
  const view = wanted && toolView(wanted, host.loaded);
  const lists = new Map<string, ToolList>();
  const onTools = (id: string, tools: readonly ToolDefinition[]): void => void lists.set(id, { tools });
  const presentable = (text: string): string => redactor.mask(plainText(text, { maxChars: LONGEST_TEXT }));
  const onFinding = tell && ((id: string, finding: Finding) => tell(id, eachText(finding, presentable) as Finding));
  const ids = only === undefined ? idsOf(host) : [expected(host, only)];
  const slots = new Slots(AT_ONCE);
  const visit = (id: string): Promise<ServerReport> =>
    slots.run(async () => {
      signal.throwIfAborted();
      const steps = await examine(practice, id, { asked: only !== undefined, timeoutMs, onTools, onFinding }).catch(
        error => {
          signal.throwIfAborted();
          return [failed('config', asDefect(id, error))];
        },
      );
      const report = serverReport(id, steps);
      onServer?.(eachText(report, presentable) as ServerReport);
      return report;
    });
  // All are waited for, also where one is interrupted: each has something to end.
  const visits = await Promise.allSettled(ids.map(visit));
  signal.throwIfAborted();
  const reports = visits.map(one => (one.status === 'fulfilled' ? one.value : rethrown(one.reason)));
  // Whoever asks about one server has not asked about the files of others.
  const problems = only === undefined ? problemsOf(host) : [];
  const fit = view && describeFit(takeSnapshot(lists, { number: 1, view, servers: host.links.ids }), view, only);
  const report = { ...doctorReport(reports, problems, (await findOrphans(signal)) ?? null), ...(fit ? { fit } : {}) };
  return eachText(report, presentable) as DoctorReport;
}

/** Servers that are defined wrongly are in no layer: their problems tell of them. */
function idsOf({ loaded }: Host): string[] {
  return [...new Set([...loaded.servers.keys(), ...loaded.problems.flatMap(({ server }) => server ?? [])])];
}

function expected(host: Host, id: string): string {
  const ids = idsOf(host);
  if (ids.includes(id)) return id;
  throw unknownServer(id, ids, []);
}

function problemsOf({ loaded, unapproved }: Host): ConfigTrouble[] {
  const broken = loaded.problems
    .filter(({ server }) => server === undefined)
    .map(problem => ({ text: describeProblem(problem), fix: problem.fix ?? `mend ${problem.file}` }));
  const waiting = unapproved.map(what => ({
    text: `not in force until you approve it: ${what}`,
    fix: approveRules(),
    person: true as const,
  }));
  return [...broken, ...waiting];
}

/** A defect of ours must not hide what is wrong with the other servers. */
function asDefect(id: string, error: unknown): JunctorError {
  if (isJunctorError(error)) return error;
  return new JunctorError('internal', `Server '${id}' could not be looked at.`, {
    server: id,
    why: sentenceOf(error),
    hint: 'a defect in Junctor: run it again with --debug and report what it prints',
    cause: error,
  });
}

function rethrown(error: unknown): never {
  throw error;
}

/** Much in a report is a stranger's words: what its server calls itself, what it complains about. */
const LONGEST_TEXT = 2000;

function eachText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map(one => eachText(one, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, eachText(one, change)]));
}
