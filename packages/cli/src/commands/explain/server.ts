import {
  describeSite,
  explainServer,
  loadMcpConfig,
  resolve,
  type ServerExplanation,
  whyPlaceWaits,
} from '@junctor/core/config-read';
import { TrustBook, withApprovedPowers } from '@junctor/core/config-write';
import { dataDirectory } from '@junctor/core/light';
import { expectExecutor } from '../../config-files/known-executor.ts';
import { type Context, loadOptions } from '../../context.ts';
import { table } from '../../output/table.ts';
import { findServer } from '../mcp/get.ts';
import { originText } from './origin-text.ts';
import { expectAgent, type Wanted } from './tool-facts.ts';

/** Which layer, file and line set each field of a server; nothing is started. */
export async function explainServerTo(context: Context, id: string, { agent, executor }: Wanted): Promise<number> {
  await expectExecutor(context, executor);
  const server = await findServer(context, id);
  const loaded = await loadMcpConfig({ ...loadOptions(context), strict: false });
  expectAgent(agent, loaded);
  const { surroundings, global } = context;
  const book = new TrustBook(dataDirectory(surroundings, global.data), surroundings);
  const trust = (await book.states([server])).get(id) ?? 'trusted';
  const resolution = resolve({ config: loaded, agent, executor, starts: true });
  const leftOut = resolution.leftOut.find(one => one.id === id)?.because ?? null;
  const mode = resolution.servers.get(id)?.mode ?? null;
  const site = resolution.servers.get(id)?.site;
  const runs = site ? describeSite(site) : null;
  const { endpoint = null, hubEndpoint = null } = resolution.list.find(one => one.name === id) ?? {};
  const approved = await withApprovedPowers(loaded, book);
  const waits = site ? (whyPlaceWaits(approved.waiting, approved.loaded.frame, { agent, executor }) ?? null) : null;
  const explanation = explainServer(server, loaded.frame);
  const wantsPlace = agent !== undefined || executor !== undefined;
  const here = {
    agent: resolution.agent ?? null,
    executor: resolution.executor,
    mode,
    endpoint,
    hubEndpoint,
    runs,
    waits,
    leftOut,
  };
  context.answer({
    json: { ...explanation, trust, ...here },
    text: explanationText(explanation, trust, wantsPlace || leftOut !== null ? hereText(here) : undefined),
  });
  return 0;
}

interface Here {
  readonly agent: string | null;
  readonly executor: string;
  readonly mode: string | null;
  readonly endpoint: string | null;
  /** What the hub uses for sessions there, where that is another address. */
  readonly hubEndpoint: string | null;
  /** Where its program is started, in words. Null: here, or it has none. */
  readonly runs: string | null;
  /** Why it is not started there yet. */
  readonly waits: string | null;
  readonly leftOut: string | null;
}

function explanationText(
  { id, layer, source, dialect, enabled, fields, hides }: ServerExplanation,
  trust: string,
  here: string | undefined,
): string {
  const rows = fields.map(({ key, value, layer: from, source: file, place }) => [
    `  ${key}`,
    shown(value),
    file ? originText({ layer: from, source: file, place }) : from,
  ]);
  const lines = [
    `${id}: defined in the ${layer} layer, ${source} (${dialect})`,
    table(['  FIELD', 'VALUE', 'SET BY'], rows),
  ];
  // One that is off would not start after an approval either.
  if (trust === 'waiting' && enabled) lines.push(`waits for approval: junctor trust add ${id}`);
  if (here !== undefined) lines.push(here);
  for (const hidden of hides) lines.push(`hides ${originText(hidden)}: ${shown(hidden.definition)}`);
  return lines.join('\n');
}

function hereText({ agent, executor, mode, endpoint, hubEndpoint, runs, waits, leftOut }: Here): string {
  const where = `${agent === null ? '' : `for agent '${agent}' `}on executor '${executor}'`;
  if (leftOut !== null) return `left out ${where}: ${leftOut}`;
  const lives = mode === 'shared' ? 'one for all sessions' : 'one for each session';
  const at = endpoint === null || endpoint === 'stdio:' ? [] : [`at ${endpoint}`];
  const byHub = hubEndpoint === null ? [] : [`through the hub at ${hubEndpoint}`];
  const place = `${where}: ${[lives, ...at, ...byHub, ...(runs === null ? [] : [runs])].join(', ')}`;
  return waits === null ? place : `waits for approval, ${waits}: junctor trust add --rules\n${place}`;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
