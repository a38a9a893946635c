/** What `authorize` answers, and the one set of sentences that every surface shows for it. Pure. */
import { JunctorError } from '../base/error.ts';
import type { ScopedAnswer } from './answer.ts';
import type { ToolRef } from './caller.ts';
import type { Grant } from './grants/grant.ts';
import type { Verdict } from './verdict.ts';

/** Who or what decided. */
export type DecidedBy = 'catalogue' | 'lockfile' | 'rule' | 'limit' | 'grant' | 'person' | 'timeout' | 'nobody';

/** Whether a call may run. `ask` never leaves `authorize`: a person, a grant or the end of the time to answer decides. */
export type Decision = Allowed | Denied;

interface Decided {
  /** Who or what decided. */
  readonly by: DecidedBy;
  /** One word for the audit: `allow`, `deny`, `once`, `session`, `always`, `expired` or `locked`. */
  readonly word: string;
  /** Why, in words a person reads. */
  readonly because: string;
  /** The rule that decided or asked, by its name. */
  readonly rule?: string | undefined;
}

/** The call may run. */
export interface Allowed extends Decided {
  /** Tells it apart from a denial. */
  readonly effect: 'allow';
  /** The grant that allowed it. */
  readonly grant?: string | undefined;
}

/** The call may not run. */
export interface Denied extends Decided {
  /** Tells it apart from a permission. */
  readonly effect: 'deny';
  /** The same for programs and people: its code, its sentence and what to do. */
  readonly error: JunctorError;
}

/** `fs/read_file`: how every surface names a tool in a sentence. A program's own tools are under a name no server can have. */
function nameOf({ server, tool }: ToolRef): string {
  return server.startsWith('(') ? tool : `${server}/${tool}`;
}

/** A denial as one line for a model or a client that reads text only. */
export function denialText({ message, why, code }: JunctorError): string {
  if (why === undefined) return `${message} (${code})`;
  const reason = /[.!?]$/.test(why) ? why : `${why}.`;
  return `${message.replace(/\.$/, '')}: ${reason} (${code})`;
}

export function allowedByGrant({ id, scope, granted_at }: Grant): Allowed {
  const since = scope === 'always' ? `for always on ${granted_at.slice(0, 10)}` : 'for this session';
  return { effect: 'allow', by: 'grant', word: 'allow', because: `it was allowed ${since}`, grant: id };
}

export function allowedByPerson({ scope, by }: ScopedAnswer): Allowed {
  return { effect: 'allow', by: 'person', word: scope, because: answeredBy(by) };
}

export function deniedByRules(ref: ToolRef, { because, rule }: Verdict): Denied {
  const error = notSent('permission_denied', `${nameOf(ref)} was denied.`, {
    server: ref.server,
    why: because,
    hint: 'junctor explain shows where the rule is written',
  });
  return { effect: 'deny', by: 'rule', word: 'deny', because, rule, error };
}

export function deniedByPerson(ref: ToolRef, { by, note }: ScopedAnswer): Denied {
  const error = notSent('permission_denied', `${nameOf(ref)} was denied by a person.`, {
    server: ref.server,
    ...(note === undefined ? {} : { why: note }),
  });
  return { effect: 'deny', by: 'person', word: 'deny', because: answeredBy(by), error };
}

/** A person had time to answer, and nobody did. */
export function unanswered(ref: ToolRef, waitMs: number): Denied {
  const because = `nobody answered within ${duration(waitMs)}`;
  const error = notSent('approval_required', `${nameOf(ref)} needs approval, and ${because}.`, { server: ref.server });
  return { effect: 'deny', by: 'timeout', word: 'expired', because, error };
}

/** The tool is not what somebody approved in the lockfile. */
export function deniedByLockfile(
  ref: ToolRef,
  { file, why, approve }: { readonly file: string; readonly why: string; readonly approve?: string | undefined },
): Denied {
  const error = notSent('tool_locked', `${nameOf(ref)} is not approved in ${file}.`, {
    server: ref.server,
    why,
    hint: 'look at what changed: inspectLock(host, options), then: approveLock(inspection, changes)',
    command: `look at what changed: junctor lock diff${approve === undefined ? '' : `, then: junctor lock approve ${approve}`}`,
  });
  return { effect: 'deny', by: 'lockfile', word: 'locked', because: why, error };
}

/** The server does not list the tool, or the config leaves it out: for this caller it does not exist. */
export function notOffered(error: JunctorError): Denied {
  error.outcome ??= 'not_sent';
  return { effect: 'deny', by: 'catalogue', word: 'deny', because: error.why ?? error.message, error };
}

/** A person has to approve it, and no surface can ask one. */
export function nobodyToAsk(ref: ToolRef, why: string): Denied {
  const pattern = `mcp__${ref.server}__${ref.tool}`;
  const rule = `add "${pattern}" to permissions.allow, or set "trust": "trusted" on the server`;
  const error = notSent('approval_required', `${nameOf(ref)} needs approval, and nobody can be asked.`, {
    server: ref.server,
    why,
    hint: `pass ask to createHost, ${rule}`,
    command: rule,
  });
  return { effect: 'deny', by: 'nobody', word: 'deny', because: why, error };
}

function notSent(...[code, sentence, details]: ConstructorParameters<typeof JunctorError>): JunctorError {
  const error = new JunctorError(code, sentence, details);
  error.outcome = 'not_sent';
  return error;
}

function answeredBy(by: string | undefined): string {
  return by === undefined ? 'a person answered' : `answered ${by}`;
}

function duration(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  if (ms < 60_000) return `${ms / 1000} s`;
  return ms === 60_000 ? '1 minute' : `${Math.round(ms / 6000) / 10} minutes`;
}
