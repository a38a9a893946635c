/**
 * For one tool on one agent and executor: whether it is offered, deferred or hidden, what would become of a call, and each
 * time why, with the place that says so. Pure: the command line, REST and pre-flight tell the same.
 */
import { nearest } from '../../base/text/nearest.ts';
import { stepAtCommandLine } from '../../base/told.ts';
import type { Entry } from '../../catalogue/entry.ts';
import { withinCap } from '../../catalogue/within-cap.ts';
import { unknownServer } from '../../resolve/unknown-server.ts';
import { type CallProspect, callProspect } from './call-prospect.ts';
import type { ToolFacts } from './facts.ts';
import { type Because, whyServerLeftOut, whyToolLeftOut } from './left-out.ts';

/**
 * `deferred`: it is found by search, and can be called. `hidden`: something keeps it away. `missing`: its server has no such
 * tool. `unknown`: nobody can say before the server was asked.
 */
export type OfferState = 'offered' | 'deferred' | 'hidden' | 'missing' | 'unknown';

export interface ToolExplanation {
  readonly server: string;
  readonly tool: string;
  readonly agent: string | null;
  readonly executor: string;
  /** The name its reader sees; null where it sees none. */
  readonly name: string | null;
  readonly offer: { readonly state: OfferState } & Because;
  /** Null where the server is not there to be called. */
  readonly call: CallProspect | null;
  /** When the server listed it, where it was not asked again since. */
  readonly listed_at: string | null;
}

export interface ToolName {
  readonly server: string;
  readonly tool: string;
}

export function explainTool({ server: id, tool }: ToolName, facts: ToolFacts): ToolExplanation {
  const { written, resolution, snapshot } = facts;
  const server = written.servers.get(id);
  if (!server) throw unknownServer(id, [...written.servers.keys()], []);
  const entry = entryOf({ server: id, tool }, facts);
  const there = resolution.servers.has(id);
  const offer = offerOf({ server: id, tool }, entry, facts);
  const { gate, grants } = facts;
  return {
    server: id,
    tool,
    agent: resolution.agent ?? null,
    executor: resolution.executor,
    name: offer.state === 'offered' || offer.state === 'deferred' ? (entry?.name ?? null) : null,
    offer,
    call: there
      ? callProspect(server, tool, entry?.definition, { gate, grants, layers: written.layers, agent: resolution.agent })
      : null,
    listed_at: snapshot.stale.get(id)?.toISOString() ?? null,
  };
}

export function entryOf({ server, tool }: ToolName, { snapshot }: ToolFacts): Entry | undefined {
  return [...snapshot.byName.values()].find(one => one.server === server && one.tool === tool);
}

function offerOf(ref: ToolName, entry: Entry | undefined, facts: ToolFacts): ToolExplanation['offer'] {
  const { written, resolution } = facts;
  const server = written.servers.get(ref.server);
  const leftOut = resolution.leftOut.find(({ id }) => id === ref.server);
  if (server && leftOut) return { state: 'hidden', ...whyServerLeftOut(server, leftOut, written, resolution) };
  const filtered = server && whyToolLeftOut(server, ref.tool, written);
  if (filtered) return { state: 'hidden', ...filtered };
  if (!entry) return whyNotListed(ref, facts);
  const deferred = facts.deferred?.(ref.server);
  if (deferred) return { state: 'deferred', ...deferred };
  const beyond = whyBeyond(entry, facts);
  if (beyond) return { state: 'hidden', ...beyond };
  return {
    state: 'offered',
    because: `server '${ref.server}' lists it, and nothing keeps it away`,
    at: null,
    hint: '',
  };
}

function whyNotListed({ server, tool }: ToolName, facts: ToolFacts): ToolExplanation['offer'] {
  const { snapshot, failures, unasked } = facts;
  const isIt = (one: ToolName & { readonly name: string }): boolean => one.server === server && one.name === tool;
  const locked = snapshot.hidden.find(one => isIt({ ...one, tool }));
  if (locked) {
    const file = facts.lockfileOf(server);
    const at = file === undefined ? null : { layer: 'lockfile', source: file, place: null };
    return { state: 'hidden', because: locked.because, at, hint: 'junctor lock diff, then: junctor lock approve' };
  }
  if ([...snapshot.appOnly.values()].some(one => isIt({ server: one.server, name: one.tool, tool })))
    return {
      state: 'hidden',
      because: 'its server offers it to its own user interface, not to models',
      at: null,
      hint: '',
    };
  const skipped = snapshot.skipped.find(one => isIt({ ...one, tool }));
  if (skipped)
    return { state: 'hidden', because: `nobody can use it: ${skipped.because}`, at: null, hint: 'tell its author' };
  const failure = failures.get(server);
  if (failure) {
    const because = `its server does not answer: ${failure.message.replace(/\.$/, '')} (${failure.code})`;
    return { state: 'hidden', because, at: null, hint: stepAtCommandLine(failure) ?? `junctor doctor ${server}` };
  }
  const why = unasked.get(server);
  if (why !== undefined) return { state: 'unknown', because: why, at: null, hint: `junctor mcp tools ${server}` };
  const known = [...snapshot.byName.values()].flatMap(one => (one.server === server ? [one.tool] : []));
  const near = nearest(tool, known);
  return {
    state: 'missing',
    because: `server '${server}' has no such tool`,
    at: null,
    hint: near === undefined ? `junctor mcp tools ${server}` : `did you mean '${server}/${near}'?`,
  };
}

/** A client takes only so many tools, counted over the servers its agent gets. */
function whyBeyond(entry: Entry, { snapshot, resolution }: ToolFacts): Because | undefined {
  const mine = [...snapshot.byName.values()].filter(({ server }) => resolution.servers.has(server));
  if (withinCap(mine, snapshot.cap).entries.includes(entry)) return undefined;
  return {
    because: `its reader takes ${snapshot.cap} tools, and there are ${mine.length}; it can still be called by its name`,
    at: null,
    hint: 'leave out servers or tools that this agent does not need',
  };
}
