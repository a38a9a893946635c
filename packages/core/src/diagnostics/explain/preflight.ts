/** Whether an agent on an executor will have certain tools, and what is in the way of those it will not have. Pure. */
import { similarName } from '../../catalogue/similar-tool.ts';
import { explainTool, type ToolExplanation, type ToolName } from './explain-tool.ts';
import type { ToolFacts } from './facts.ts';
import type { Origin } from './origin.ts';

export interface CheckedTool {
  /** As it was asked for. */
  readonly asked: string;
  readonly there: boolean;
  /** Null where no server is known to have it. */
  readonly server: string | null;
  readonly tool: string | null;
  /** The name its reader sees. */
  readonly name: string | null;
  /** Whether it is listed, or has to be searched for. */
  readonly offer: ToolExplanation['offer']['state'];
  /** What becomes of a call; null where nobody can call it. */
  readonly call: 'allow' | 'ask' | 'deny' | null;
  readonly because: string;
  readonly at: Origin | null;
  readonly hint: string;
  /** Only a person is missing: an approval, a sign-in. */
  readonly waits_for_person: boolean;
}

export interface Preflight {
  readonly agent: string | null;
  readonly executor: string;
  readonly ok: boolean;
  readonly tools: readonly CheckedTool[];
  /** The names of those that are not there, as they were asked for. */
  readonly missing: readonly string[];
}

export function preflight(names: readonly string[], facts: ToolFacts): Preflight {
  const { agent, executor } = facts.resolution;
  const tools = names.map(name => check(name, facts));
  const missing = tools.filter(({ there }) => !there).map(({ asked }) => asked);
  return { agent: agent ?? null, executor, ok: missing.length === 0, tools, missing };
}

/** The pair that a name means: `server/tool`, the name the agent sees, or that of the default strategy. */
export function toolMeant(name: string, { written, snapshot }: ToolFacts): ToolName | undefined {
  const ids = [...written.servers.keys()];
  const slash = name.indexOf('/');
  if (slash > 0 && ids.includes(name.slice(0, slash)))
    return { server: name.slice(0, slash), tool: name.slice(slash + 1) };
  const entry = snapshot.byName.get(name);
  if (entry) return { server: entry.server, tool: entry.tool };
  // What is not offered has no name to be found by. The longest id that fits is meant.
  const bare = name.startsWith('mcp__') ? { text: name.slice('mcp__'.length), join: '__' } : { text: name, join: '_' };
  const server = ids
    .filter(id => bare.text.startsWith(id + bare.join) && bare.text.length > id.length + bare.join.length)
    .toSorted((a, b) => b.length - a.length)[0];
  return server === undefined ? undefined : { server, tool: bare.text.slice(server.length + bare.join.length) };
}

function check(asked: string, facts: ToolFacts): CheckedTool {
  const meant = toolMeant(asked, facts);
  if (!meant) return nowhere(asked, facts);
  const { server, tool, name, offer, call } = explainTool(meant, facts);
  const offered = offer.state === 'offered' || offer.state === 'deferred';
  const denied = call?.effect === 'deny';
  const { because, at, hint } =
    offered && call ? { because: call.because, at: call.at, hint: denied ? 'change the rule' : '' } : offer;
  const waits = facts.resolution.leftOut.some(({ id, kind }) => id === server && kind === 'waiting');
  const signIn = facts.failures.get(server)?.code === 'auth_required';
  const isLocked = facts.snapshot.hidden.some(one => one.server === server && one.name === tool);
  return {
    asked,
    there: offered && !denied,
    server,
    tool,
    name,
    offer: offer.state,
    call: call?.effect ?? null,
    because,
    at,
    hint,
    waits_for_person: !offered && (waits || signIn || isLocked),
  };
}

function nowhere(asked: string, { snapshot, unasked }: ToolFacts): CheckedTool {
  const near = similarName(asked, [...snapshot.byName.values()]);
  const silent = [...unasked.keys()];
  return {
    asked,
    there: false,
    server: null,
    tool: null,
    name: null,
    offer: silent.length > 0 ? 'unknown' : 'missing',
    call: null,
    because:
      silent.length > 0
        ? `no server is known to have it, and these were not asked: ${silent.join(', ')}`
        : 'no server has a tool of this name',
    at: null,
    hint: near === undefined ? 'junctor mcp tools' : `did you mean '${near}'?`,
    waits_for_person: false,
  };
}
