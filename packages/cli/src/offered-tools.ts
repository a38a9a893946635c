/** What the configured servers offer: from memory where it knows them all, else as they say themselves. */
import type { FitReport, McpConfigLoadResult, NamingStrategy, ServerFailure, Snapshot } from '@junctor/core';
import { describeFit, knownTools } from '@junctor/core/known';
import { type Context, hostOptions } from './context.ts';
import type { Way } from './hub/through-hub.ts';
import { connectingOf, tellWaiting } from './output/still-waiting.ts';

export interface ToolsWanted {
  /** Of this server alone. */
  readonly only?: string | undefined;
  readonly naming?: { readonly naming?: NamingStrategy };
  readonly readers?: { readonly model: string | undefined; readonly client: string | undefined };
  /** Asks every server, also where memory knows it. */
  readonly fresh: boolean;
  /** Servers that have not answered by then are named in `connecting`. Without it they are waited for. */
  readonly patienceMs?: number;
  /** Goes to the servers themselves, also where a running hub has them. */
  readonly direct?: boolean;
}

export interface ToolsOffered {
  readonly loaded: McpConfigLoadResult;
  readonly snapshot: Snapshot;
  readonly failures: readonly ServerFailure[];
  readonly connecting: readonly string[];
  /** How each server was asked. */
  readonly via: Readonly<Record<string, Way | 'memory'>>;
  /** Where a model or a client is named: what it gets otherwise. */
  readonly fit: FitReport | undefined;
}

export async function offeredTools(context: Context, wanted: ToolsWanted): Promise<ToolsOffered> {
  return (await fromMemory(context, wanted)) ?? (await fromServers(context, wanted));
}

/** Undefined where some server has to be asked. */
async function fromMemory(context: Context, wanted: ToolsWanted): Promise<ToolsOffered | undefined> {
  const { only, naming, readers = NOBODY, fresh } = wanted;
  if (fresh) return undefined;
  const { surroundings, redactor } = context;
  const known = await knownTools({ ...hostOptions(context), ...naming, readers, surroundings, redactor, only });
  if (known.unseen.length > 0) return undefined;
  const fit = describeFit(known.snapshot, known.view, only);
  const via = Object.fromEntries(
    [...new Set(known.snapshot.entries.map(one => one.server))].map(id => [id, 'memory' as const]),
  );
  return { ...known, failures: known.untried, connecting: [], via, fit };
}

/** Loading what talks to servers takes longer than the whole answer from memory: it is loaded only here. */
async function fromServers(context: Context, wanted: ToolsWanted): Promise<ToolsOffered> {
  const { only, naming, readers, fresh, patienceMs, direct = false } = wanted;
  const [{ createHost }, { ThroughHub }] = await Promise.all([import('@junctor/core'), import('./hub/through-hub.ts')]);
  const hub = await ThroughHub.find(context, { direct });
  await using host = await createHost({ ...hostOptions(context), ...hub.hostOptions, ...naming });
  const asked = only === undefined ? host.links.ids : [only];
  hub.tell(asked);
  using _waiting = tellWaiting(context, host, only === undefined ? undefined : () => [only]);
  if (only !== undefined) await host.collect(only);
  const wait = {
    ...readers,
    known: !fresh,
    ...(only === undefined ? {} : { servers: [only] }),
    ...(patienceMs === undefined ? {} : { patienceMs }),
  };
  const snapshot = await host.snapshot(wait);
  return {
    loaded: host.loaded,
    snapshot,
    // What is written wrongly was told when the config was read.
    failures: host.failures().filter(({ error }) => error.code !== 'config_invalid'),
    connecting: connectingOf(host),
    via: Object.fromEntries(asked.map(id => [id, hub.wayTo(id)])),
    fit: await host.describeFit(wait),
  };
}

const NOBODY = { model: undefined, client: undefined };
