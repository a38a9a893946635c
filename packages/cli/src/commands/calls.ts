import { resolve } from 'node:path';
import { JunctorError, visibleText } from '@junctor/core/light';
import { oneOf } from '../choice.ts';
import { defineCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { HubRest } from '../hub/hub-rest.ts';
import { wholeNumber } from '../number-option.ts';
import { printJsonLine } from '../output/json-line.ts';
import { pointInTime, shownTime } from '../output/shown-time.ts';
import { tableOfProjects } from '../output/table.ts';

interface CallEntry {
  readonly call_id: string;
  readonly agent: string | null;
  readonly project: string | null;
  readonly session: string;
  readonly server: string;
  readonly tool: string;
  readonly verdict: string;
  readonly started: string;
  readonly ms: number;
  readonly outcome: 'done' | 'not_sent' | 'unknown';
  readonly failed: boolean;
  readonly code: string | null;
}

interface Calls {
  readonly running: readonly Pick<
    CallEntry,
    'call_id' | 'agent' | 'project' | 'server' | 'tool' | 'started' | 'session'
  >[];
  readonly calls: readonly CallEntry[];
}

const OUTCOMES = ['done', 'not_sent', 'unknown'] as const;

export const calls = defineCommand({
  options: {
    agent: { value: 'ID', help: 'only calls of this agent' },
    project: { value: 'FOLDER', help: 'only calls made in this project' },
    session: { value: 'ID', help: 'only calls of this session' },
    server: { value: 'ID', help: 'only calls of this server' },
    tool: { value: 'NAME', help: 'only calls of this tool' },
    outcome: { value: OUTCOMES.join('|'), help: 'only calls that ended so' },
    failed: { help: 'only calls that failed' },
    since: { value: 'DATE', help: 'only calls from then on: a day or a time in UTC, as the table shows it' },
    until: { value: 'DATE', help: 'only calls before' },
    limit: { value: 'NUMBER', help: 'at most so many (default: 100)' },
    follow: { help: 'stay, and tell of each call as it ends; with --json one document a line' },
  },
  details: `OUTCOME is done (answered), not_sent (the server never saw it) or unknown (sent, and the answer never came). Calls that
still run stand above. Times are UTC. The hub that runs on this data directory is asked.`,
  async run(context, { options }) {
    const query = queryFrom(options);
    if (options.project !== undefined) query.set('project', resolve(context.surroundings.cwd, options.project));
    const hub = await HubRest.open(context);
    const find = (): Promise<Calls> => hub.ask<Calls>(`/api/calls?${query}`);
    if (options.follow) return follow(context, hub, find);
    const found = await find();
    context.answer({ json: found, text: callTable(found) });
    return 0;
  },
});

type Filters = Readonly<
  Record<'agent' | 'session' | 'server' | 'tool' | 'outcome' | 'since' | 'until' | 'limit', string | undefined>
>;

/** Filters of the hub, under the same names here. */
function queryFrom({
  agent,
  session,
  server,
  tool,
  ...given
}: Filters & { readonly failed: boolean }): URLSearchParams {
  const { outcome, failed } = given;
  const filters = {
    ...{ agent, session, server, tool },
    outcome: outcome === undefined ? undefined : oneOf('outcome', outcome, OUTCOMES),
    since: pointInTime('since', given.since),
    until: pointInTime('until', given.until),
    limit: wholeNumber('limit', given.limit),
    failed: failed ? true : undefined,
  };
  const said = Object.entries(filters).filter(([, value]) => value !== undefined);
  return new URLSearchParams(said.map(([name, value]): [string, string] => [name, String(value)]));
}

function callTable({ running, calls: ended }: Calls): string {
  if (running.length + ended.length === 0) return 'no call passed the hub';
  return tableOfProjects(HEAD, [
    ...running.map(({ started, agent, project, server, tool }) => ({
      ...{ project, cells: [shownTime(started), agent ?? '-', named(server, tool), '-', 'runs', '-'] },
    })),
    ...ended.map(call => ({ project: call.project, cells: rowOf(call) })),
  ]);
}

const HEAD = ['STARTED', 'AGENT', 'TOOL', 'TIME', 'OUTCOME', 'RESULT'];

function rowOf({ started, agent, server, tool, ms, outcome, failed, code }: CallEntry): string[] {
  const result = failed ? (code ?? 'failed') : 'ok';
  return [shownTime(started), agent ?? '-', named(server, tool), `${Math.round(ms)} ms`, outcome, result];
}

function named(server: string, tool: string): string {
  return `${server}/${visibleText(tool)}`;
}

/** The same filters hold: each time a call ended the hub is asked which fit. */
async function follow(context: Context, hub: HubRest, find: () => Promise<Calls>): Promise<number> {
  const seen = new Set<string>();
  const tell = async (isNew: boolean): Promise<void> => {
    const fresh = (await find()).calls.filter(({ call_id }) => !seen.has(call_id)).reverse();
    for (const call of fresh) {
      seen.add(call.call_id);
      if (!isNew) continue;
      if (context.global.json) printJsonLine(context, call);
      else context.answer({ json: call, text: rowOf(call).join('  ') });
    }
  };
  try {
    let opened: Promise<void> | undefined;
    const begin = (): void => {
      opened = tell(false).then(() => context.talk('calls are told as they end; Ctrl-C ends this'));
    };
    for await (const _event of hub.events(['tool-call-end'], begin)) {
      await opened;
      await tell(true);
    }
  } catch (error) {
    if (!context.signal.aborted) throw error;
    return 0;
  }
  throw new JunctorError('connection_lost', 'The hub has ended.', { hint: 'junctor hub starts one' });
}
