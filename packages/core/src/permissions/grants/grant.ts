/**
 * A yes that outlives its call. It is bound to the definition of the server and to that of the tool: when either is
 * another one, the person is asked again, and told what changed. Pure: where grants are kept is no matter here.
 */
import type { ToolDefinition } from '../../catalogue/entry.ts';
import { agentId } from '../../config/agent-id.ts';
import { parseConditions } from '../../config/schema/rule-pattern.ts';
import type { ScopedAnswer } from '../answer.ts';
import { compileConditions } from '../arguments.ts';
import { changesBetween, describeChanges } from '../lockfile/changes.ts';
import { type ToolTerms, termsOf, toolFingerprint } from '../lockfile/tool-terms.ts';

/** A yes that outlives its call. */
export interface Grant {
  /** What `grants.revoke` takes. */
  readonly id: string;
  /** How long it holds. */
  readonly scope: 'session' | 'always';
  /** The id of the server. */
  readonly server: string;
  /** The server's own name for the tool. */
  readonly tool: string;
  /** The agent it is for; empty: callers that are no agent; absent: every caller. */
  readonly agent?: string;
  /** Only for such arguments. */
  readonly when?: string;
  /** The ask rule that raised the question: a yes to one question is none to another. */
  readonly rule?: string;
  /** The config file that defined the server; null for one that stood in no file. */
  readonly file: string | null;
  /** Of the definition of the server that it is bound to. */
  readonly server_fingerprint: string;
  /** Of the definition of the tool that it is bound to. */
  readonly tool_fingerprint: string;
  /** What was agreed to, so that a change can be shown. */
  readonly definition: ToolTerms;
  /** As an ISO date. */
  readonly granted_at: string;
}

/** The server a call goes to, as far as a grant is bound to it. */
export interface GrantedServer {
  readonly fingerprint: string;
  readonly file: string | null;
}

/** A call that no rule allows, and what is known of its tool. */
export interface AskedCall {
  readonly server: string;
  readonly tool: string;
  readonly args: unknown;
  readonly rule: string | undefined;
  readonly from: GrantedServer;
  readonly definition: ToolDefinition | undefined;
  /** The agent that calls; undefined where no agent does. */
  readonly agent: string | undefined;
}

export type Standing =
  | { readonly kind: 'granted'; readonly grant: Grant }
  /** It was allowed as something else. */
  | { readonly kind: 'changed'; readonly because: string; readonly changes: readonly string[] }
  | { readonly kind: 'none' };

export function standingOf(call: AskedCall, grants: readonly Grant[]): Standing {
  const candidates = grants.filter(grant => speaksOf(grant, call) && fits(grant, call.args));
  const { definition } = call;
  if (candidates.length === 0 || !definition) return { kind: 'none' };
  const fingerprint = toolFingerprint(definition);
  const here = candidates.filter(grant => grant.server_fingerprint === call.from.fingerprint);
  const grant = here.find(one => one.tool_fingerprint === fingerprint);
  if (grant) return { kind: 'granted', grant };
  return here.length > 0 ? toolChanged(here.at(-1) as Grant, definition) : serverChanged(candidates, call);
}

/** Whether any grant could cover a call of this tool: if none can, its definition need not be looked up. */
export function mayBeGranted(
  { server, tool, agent }: Pick<AskedCall, 'server' | 'tool' | 'agent'>,
  grants: readonly Grant[],
): boolean {
  return grants.some(grant => grant.server === server && grant.tool === tool && isFor(grant, agent));
}

export function makeGrant(
  call: AskedCall & { readonly definition: ToolDefinition },
  answer: Pick<ScopedAnswer, 'when' | 'allAgents'> & { readonly scope: 'session' | 'always' },
  stamp: { readonly id: string; readonly granted_at: string },
): Grant {
  const { server, tool, rule, from, definition, agent } = call;
  return {
    id: stamp.id,
    scope: answer.scope,
    server,
    tool,
    ...(answer.allAgents ? {} : { agent: agent === undefined ? '' : agentId(agent) }),
    ...(answer.when === undefined ? {} : { when: answer.when }),
    ...(rule === undefined ? {} : { rule }),
    file: from.file,
    server_fingerprint: from.fingerprint,
    tool_fingerprint: toolFingerprint(definition),
    definition: termsOf(definition),
    granted_at: stamp.granted_at,
  };
}

/** The grants with this one among them, and without those it takes the place of. */
export function withGrant(grants: readonly Grant[], fresh: Grant): Grant[] {
  const replaced = (old: Grant): boolean =>
    old.server === fresh.server &&
    old.tool === fresh.tool &&
    (old.agent === fresh.agent || fresh.agent === undefined) &&
    old.when === fresh.when &&
    old.rule === fresh.rule &&
    (old.server_fingerprint === fresh.server_fingerprint || (old.file !== null && old.file === fresh.file));
  return [...grants.filter(old => !replaced(old)), fresh];
}

/** A yes to a question that an ask rule raised also holds where no rule is concerned, not the other way round. */
function speaksOf(grant: Grant, { server, tool, rule, agent }: AskedCall): boolean {
  if (grant.server !== server || grant.tool !== tool || !isFor(grant, agent)) return false;
  return rule === undefined || grant.rule === rule;
}

function isFor(grant: Grant, agent: string | undefined): boolean {
  return grant.agent === undefined || grant.agent === (agent === undefined ? '' : agentId(agent));
}

function fits({ when }: Grant, args: unknown): boolean {
  if (when === undefined) return true;
  const parsed = parseConditions(when);
  return parsed.ok && compileConditions(parsed.conditions, 'narrow')(args);
}

function toolChanged(grant: Grant, definition: ToolDefinition): Standing {
  const changes = describeChanges(changesBetween(grant.definition, termsOf(definition)));
  return { kind: 'changed', because: `the tool changed since it was allowed on ${day(grant)}`, changes };
}

/** The same id in another project is another server, and no news. */
function serverChanged(candidates: readonly Grant[], { server, from }: AskedCall): Standing {
  const before = candidates.findLast(grant => grant.file === from.file);
  if (!before) return { kind: 'none' };
  const because = `the definition of server '${server}' changed since the tool was allowed on ${day(before)}`;
  return { kind: 'changed', because, changes: [] };
}

function day({ granted_at }: Grant): string {
  return granted_at.slice(0, 10);
}
