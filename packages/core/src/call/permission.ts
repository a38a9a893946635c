/** Whether a call may run: by rule, by a yes that still holds, or by asking a person. It decides nothing about how it runs. */
import { isJunctorError, JunctorError } from '../base/error.ts';
import type { ToolDefinition } from '../catalogue/entry.ts';
import type { Decision } from '../gate/answer.ts';
import type { Approvals, Ask, Question, Ruling } from '../gate/approvals.ts';
import { changesBetween, describeChanges } from '../gate/changes.ts';
import type { AskedCall, Grant, Standing } from '../gate/grants.ts';
import { termsOf, toolFingerprint } from '../gate/tool-terms.ts';
import type { Gate, Verdict } from '../gate/verdict.ts';
import { refusal, type ToolResult } from '../result/tool-result.ts';

export interface PermissionRooms {
  readonly gate: Gate;
  readonly approvals: Approvals;
  readonly grants: GrantBook;
  readonly tools: ToolLookup;
}

/** Where a yes that outlives its call is kept. */
export interface GrantBook {
  /** Whether anything is kept about this tool. */
  mentions(call: AskedTool, session: string | undefined): Promise<boolean>;
  /** What was said about such a call before, and whether it still holds. */
  standing(call: Asked, session: string | undefined): Promise<Standing>;
  /** Keeps a yes that outlives its call. */
  keep(call: Asked, decision: Decision, session: string | undefined): Promise<void>;
}

export interface ToolLookup {
  /** What is known of a tool without asking its server. */
  known(tool: AskedTool): ToolDefinition | undefined;
  /** What its server says now; undefined where it does not say. */
  listed(tool: AskedTool): Promise<ToolDefinition | undefined>;
}

type AskedTool = Pick<AskedCall, 'server' | 'tool'>;
type Asked = Omit<AskedCall, 'from'>;

/** Who is asked, and on whose behalf. */
export interface PermissionOptions {
  /** Asked in place of the host's own `ask`. */
  readonly ask?: Ask | undefined;
  /** Withdraws the question. */
  readonly signal?: AbortSignal | undefined;
  /** Whose session a yes for the session belongs to. */
  readonly session?: string | undefined;
  /** Whose call it is, for whoever is asked. */
  readonly agent?: string | undefined;
}

/** Whether a call may run, and who says so: a rule, a yes from before, a person now, or the end of the time to answer. */
export type Permission = {
  readonly by: 'rule' | 'grant' | 'person' | 'clock';
  /** What was said, in one word: `allow`, `deny`, `once`, `session`, `always` or `expired`. */
  readonly word: string;
  readonly because: string;
} & ({ readonly allowed: true } | { readonly allowed: false /** For the model. */; readonly sentence: string });

/** Undefined: it may run. Else a refusal, told so that a model can read it. */
export function refused(
  rooms: PermissionRooms,
  tool: AskedTool,
  args: unknown,
  options: PermissionOptions,
): ToolResult | Promise<ToolResult | undefined> | undefined {
  const permission = permit(rooms, tool, args, options);
  return permission instanceof Promise ? permission.then(asRefusal) : asRefusal(permission);
}

function asRefusal(permission: Permission): ToolResult | undefined {
  return permission.allowed ? undefined : refusal(permission.sentence);
}

/** At once where a rule decides; else when a person has. */
export function permit(
  rooms: PermissionRooms,
  tool: AskedTool,
  args: unknown,
  options: PermissionOptions,
): Permission | Promise<Permission> {
  const verdict = rooms.gate.judge(tool.server, tool.tool, args);
  const { effect: word, because } = verdict;
  if (word === 'allow') return { by: 'rule', word, because, allowed: true };
  const what = `'${tool.tool}' on server '${tool.server}'`;
  if (word === 'deny') {
    return { by: 'rule', word, because, allowed: false, sentence: `The call of ${what} was denied: ${because}.` };
  }
  const { server, tool: name } = tool;
  return permittedByPerson(rooms, { server, tool: name, args }, verdict, options).catch(error => {
    if (isJunctorError(error)) error.outcome ??= 'not_sent';
    throw error;
  });
}

async function permittedByPerson(
  { approvals, grants, tools }: PermissionRooms,
  call: AskedTool & { readonly args: unknown },
  verdict: Verdict,
  options: PermissionOptions,
): Promise<Permission> {
  const { session } = options;
  const asked = (definition: ToolDefinition | undefined): Asked => ({ ...call, rule: verdict.rule, definition });
  let definition = (await grants.mentions(call, session)) ? await tools.listed(call) : tools.known(call);
  let standing = await grants.standing(asked(definition), session);
  for (;;) {
    if (standing.kind === 'granted') return byGrant(standing.grant);
    const changed = standing.kind === 'changed' ? standing : undefined;
    if (!approvals.reaches(options)) throw nobodyToAsk(call, changed?.because ?? verdict.because);
    const { because, changes } = { because: verdict.because, changes: [], ...changed };
    // What is no object never comes so far: it is no call.
    const args = call.args as Question['args'];
    const question = { ...call, args, because, ...(changes.length > 0 ? { changed: changes } : {}) };
    const ruling = await approvals.request(question, options);
    if (ruling.scope === 'deny' || ruling.scope === 'expired') return noYes(call, ruling);
    const lasting = ruling.scope !== 'once';
    const now = definition || lasting ? await tools.listed(call) : undefined;
    const swapped = definition && now && swappedWhileAsked(definition, now);
    if (!swapped) {
      if (lasting) await grants.keep(asked(now), ruling, session);
      return { by: 'person', word: ruling.scope, because: answeredBy(ruling), allowed: true };
    }
    [definition, standing] = [now, swapped];
  }
}

function byGrant({ scope, granted_at }: Grant): Permission {
  const since = scope === 'always' ? `for always on ${granted_at.slice(0, 10)}` : 'for this session';
  return { by: 'grant', word: 'allow', because: `it was allowed ${since}`, allowed: true };
}

function answeredBy({ by }: Decision): string {
  return by === undefined ? 'a person said so' : `answered ${by}`;
}

/** A yes to a tool that became another one while the question was open is a yes to nothing. */
function swappedWhileAsked(before: ToolDefinition, now: ToolDefinition): Standing | undefined {
  if (toolFingerprint(before) === toolFingerprint(now)) return undefined;
  const changes = describeChanges(changesBetween(termsOf(before), termsOf(now)));
  return { kind: 'changed', because: 'the tool changed while you were asked', changes };
}

function noYes({ server, tool }: AskedTool, ruling: Ruling): Permission {
  const what = `The call of '${tool}' on server '${server}' was denied`;
  if (ruling.scope === 'expired') {
    const because = `nobody answered within ${duration(ruling.waitMs)}`;
    return { by: 'clock', word: 'expired', because, allowed: false, sentence: `${what}: ${because}.` };
  }
  const said = ruling.note === undefined ? '.' : `, who says: ${ruling.note}`;
  return {
    by: 'person',
    word: 'deny',
    because: answeredBy(ruling),
    allowed: false,
    sentence: `${what} by a person${said}`,
  };
}

function duration(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  if (ms < 60_000) return `${ms / 1000} s`;
  return ms === 60_000 ? '1 minute' : `${Math.round(ms / 6000) / 10} minutes`;
}

function nobodyToAsk({ server, tool }: AskedTool, why: string): JunctorError {
  return new JunctorError(
    'approval_required',
    `The call of '${tool}' on server '${server}' needs a yes, and nobody can be asked.`,
    {
      server,
      why,
      hint: `pass ask to createHost, add "mcp__${server}__${tool}" to permissions.allow, or set "trust": "trusted" on the server`,
      command: `add "mcp__${server}__${tool}" to permissions.allow, or set "trust": "trusted" on the server`,
    },
  );
}
