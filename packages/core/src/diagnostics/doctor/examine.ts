/** Looks at one server from its config to its end, step by step, as far as the steps go. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '../../base/time/monotonic.ts';
import type { ToolDefinition } from '../../catalogue/entry.ts';
import type { Link } from '../../connections/link.ts';
import { approveRules } from '../../resolve/availability.ts';
import { whySettingsWait } from '../../resolve/place-waits.ts';
import type { ResolvedServer } from '../../resolve/roster.ts';
import { describeSite, isHere, type Site } from '../../resolve/site.ts';
import { examineAddress } from './address.ts';
import { examineCatalogue } from './catalogue.ts';
import { examineConfig } from './config.ts';
import { examineEras } from './eras.ts';
import { counted, type Finding } from './finding.ts';
import { type Look, look, marked, type Practice, processesOf } from './look.ts';
import { examineProgram } from './program.ts';
import { examineSignIn } from './sign-in.ts';
import { examineStart } from './start.ts';

export interface ExamineOptions {
  /** Somebody named this server. */
  readonly asked: boolean;
  /** How long one try may take. Default: what the server is given elsewhere, but at most 15 s. */
  readonly timeoutMs?: number | undefined;
  /** Told of each step as it is done. What is to be done about it may be left to a later one in the end. */
  readonly onFinding?: ((server: string, finding: Finding) => void) | undefined;
  /** Sees the tools of each server that lists any. */
  readonly onTools?: (server: string, tools: readonly ToolDefinition[]) => void;
}

/** A person waits. */
const LONGEST_TRY_MS = 15_000;

export async function examine(practice: Practice, id: string, options: ExamineOptions): Promise<Finding[]> {
  const told = <F extends Finding | undefined>(finding: F): F => {
    if (finding) options.onFinding?.(id, finding);
    return finding;
  };
  const config = await examineConfig(practice.host, id, { asked: options.asked, options: practice.options });
  told(config.finding);
  if (!config.tried) return [config.finding];
  const { server: written, definition } = config.tried;
  const server = marked(withinTime(written, options.timeoutMs), randomUUID());
  const way = told(await examineWay(practice, server));
  if (way.outcome === 'no') return [config.finding, way];
  const looks: Look[] = [];
  const tryIt = async (as: ResolvedServer, inside?: (link: Link) => Promise<void>): Promise<Look> => {
    const found = await look(practice, as, inside);
    looks.push(found);
    return found;
  };
  let tools: Finding[] = [];
  const first = await tryIt(server, async link => {
    tools = await examineCatalogue(link, found => options.onTools?.(id, found));
  });
  const started = examineStart(server, first, { definition, usualMs: written.timeouts.connectMs });
  const start = first.ok || first.error.code !== 'executor_unavailable' ? started : started.map(approving(practice));
  for (const finding of [...start, ...tools]) told(finding);
  const eras = told(await examineEras(server, first, tryIt));
  const auth = told(await examineSignIn(practice, server, first));
  const ended = told(await examineEnd(server, looks));
  return [
    config.finding,
    way,
    // Where a later step knows better what to do, an earlier one leaves it to that.
    ...(eras?.fix || auth?.fix ? start.map(withoutFix) : start),
    ...[eras, auth, ...tools, ended].filter(finding => finding !== undefined),
  ];
}

/** What leads to the server: a program that is there, or an address where somebody listens. */
async function examineWay({ environment, signal }: Practice, server: ResolvedServer): Promise<Finding> {
  const { id, endpoint, timeouts, site } = server;
  if (site) return examineSite(site);
  if (endpoint.transport === 'stdio') return examineProgram(id, endpoint, environment);
  if (endpoint.program) return examineProgram(id, endpoint.program, environment);
  return examineAddress(id, endpoint.url, { ms: timeouts.connectMs, signal });
}

/** What is there is seen only by starting it. */
function examineSite(site: Site): Finding {
  const { executor } = site;
  return {
    step: 'program',
    outcome: 'ok',
    detail: `to be ${describeSite(site)} (executor '${executor}')`,
    facts: { executor },
  };
}

/** Settings that wait for a person may be all that is missing: nobody should write them once more. */
function approving({ host }: Practice): (finding: Finding) => Finding {
  const because = whySettingsWait(host.waiting, host.resolution);
  return finding =>
    because === undefined || finding.outcome !== 'no'
      ? finding
      : { ...finding, lines: [...(finding.lines ?? []), because], fix: approveRules(), person: true };
}

/** Over there a watcher ends what was started, a moment after the connection is gone. Too short, and it is called a leak. */
const WATCHER_MS = 6000;
const LOOK_EVERY_MS = 100;

async function remaining(server: ResolvedServer): Promise<number[] | undefined> {
  const giveUpAt = monotonicMs() + (isHere(server.site) ? 0 : WATCHER_MS);
  for (;;) {
    const left = await processesOf(server);
    if (!left || left.length === 0 || monotonicMs() >= giveUpAt) return left;
    await sleep(LOOK_EVERY_MS);
  }
}

async function examineEnd(server: ResolvedServer, looks: readonly Look[]): Promise<Finding | undefined> {
  const { endpoint } = server;
  if (endpoint.transport !== 'stdio' && !endpoint.program) return undefined;
  const left = await remaining(server);
  const facts = { pids: looks.flatMap(one => (one.ok ? one.pids : [])), left: left ?? null };
  const gone = { step: 'ended', outcome: 'ok', facts } as const;
  if (!left) return { ...gone, detail: 'all that was started was told to end; this system shows no more' };
  if (left.length === 0) return { ...gone, detail: 'nothing that was started for it runs any more' };
  return {
    step: 'ended',
    outcome: 'no',
    detail: `${counted(left.length, 'process', 'processes')} of it would not end`,
    lines: left.map(pid => `pid ${pid}`),
    fix: `kill -9 ${left.join(' ')}`,
    facts,
  };
}

function withinTime(server: ResolvedServer, timeoutMs: number | undefined): ResolvedServer {
  const { timeouts } = server;
  const bounded = (ms: number): number => timeoutMs ?? Math.min(ms, LONGEST_TRY_MS);
  const { connectMs, requestMs } = timeouts;
  return { ...server, timeouts: { ...timeouts, connectMs: bounded(connectMs), requestMs: bounded(requestMs) } };
}

function withoutFix({ fix: _, ...finding }: Finding): Finding {
  return finding;
}
