/** What a door writes down: each call with its outcome, each session with how far it has come with each server. */
import { type Host, isJunctorError, type Permission, type ToolRef } from '@junctor/core';
import { outcomeOf } from '@junctor/core/inside';
import type { Departure } from '../relay/job.ts';
import type { OpenSpan } from '../traces/tracer.ts';
import { type AnswerSeen, isToolError } from './answer-seen.ts';
import type { CallAbout, CallEnd, OpenCall } from './call-record.ts';
import type { Records } from './records.ts';

/** Whoever is at the door, as far as it is written down. */
export interface NotedSession {
  readonly id: string;
  /** Whose token it came with: begins with `person` or `agent`. */
  readonly principal: string;
  readonly client: { readonly name: string; readonly version?: string | undefined };
  readonly era: string;
  readonly door: string;
  readonly capabilities: object;
}

/** The door: an agent's, or a server's own. */
export type NotedDoor = { readonly agent: string } | { readonly server: string };

/** An answer that says how it ends; not at all where it is given up. */
export interface NotedReply {
  noted: ((answer: AnswerSeen | undefined) => void) | undefined;
}

export interface CallVisit {
  readonly session: NotedSession;
  readonly reply: NotedReply;
  readonly args: unknown;
  /** What the client sent along with it. */
  readonly meta?: unknown;
}

/** As much of the records as a door writes to. */
export interface DoorRecords {
  readonly calls: Pick<Records['calls'], 'begin'>;
  readonly sessions: Pick<Records['sessions'], 'opened' | 'reached' | 'has' | 'isInitialised'>;
  readonly tracer: Records['tracer'];
}

export class DoorNotes {
  readonly #records: DoorRecords;
  readonly #mask: CallAbout['mask'];

  constructor(records: DoorRecords, host: Host) {
    this.#records = records;
    this.#mask = text => host.mask(text);
  }

  /** A client greeted, and was told what is behind the door. */
  greeted(session: NotedSession, door: NotedDoor, servers: Iterable<string>, protocol = session.era): void {
    const { sessions } = this.#records;
    const { id, client, principal, door: path, capabilities } = session;
    const name = client.version === undefined ? client.name : `${client.name} ${client.version}`;
    sessions.opened({ id, ...door, client: name, protocol, principal, door: path, capabilities });
    sessions.reached(id, 'delivered', servers);
  }

  /** A client uses the door: in the older era that shows that it finished its greeting, in the newer one there is none. */
  used(session: NotedSession, door: NotedDoor, servers: () => readonly string[]): void {
    const { sessions } = this.#records;
    if (sessions.isInitialised(session.id)) return;
    if (!sessions.has(session.id)) this.greeted(session, door, servers());
    sessions.reached(session.id, 'initialised', servers());
  }

  listed({ id }: NotedSession, servers: readonly string[]): void {
    this.#records.sessions.reached(id, 'listed', servers);
  }

  /** A call has arrived. From here on its reply tells how it ends. */
  call(door: NotedDoor, { server, tool }: ToolRef, { session, reply, args, meta }: CallVisit): NotedCall {
    const { calls, sessions, tracer } = this.#records;
    sessions.reached(session.id, 'called', [server]);
    const about: CallAbout = {
      bearer: session.principal.startsWith('agent') ? 'agent' : 'person',
      agent: 'agent' in door ? door.agent : undefined,
      session: session.id,
      server,
      tool,
      args,
      mask: this.#mask,
    };
    return new NotedCall(calls.begin(about), reply, tracer?.begin(about, meta));
  }
}

export class NotedCall implements Departure {
  readonly #call: OpenCall;
  readonly #span: OpenSpan | undefined;
  #sent = false;
  /** Known before the client is told. */
  #end: Omit<CallEnd, 'bytes'> | undefined;

  constructor(call: OpenCall, reply: NotedReply, span?: OpenSpan) {
    this.#call = call;
    this.#span = span;
    reply.noted = answer => this.#over(answer);
  }

  judged({ effect, because }: { readonly effect: string; readonly because: string }): void {
    this.#call.judged(effect, because);
    if (effect === 'deny') this.#end = { outcome: 'not_sent', failed: true, code: 'permission_denied' };
  }

  /** A person is asked about it. */
  asked(because: string): void {
    this.#call.judged('ask', because);
  }

  /** A person has answered, or nobody did in time. */
  ruled({ word, because, allowed }: Pick<Permission, 'word' | 'because' | 'allowed'>): void {
    this.#call.judged(word, because);
    if (allowed) return;
    const code = word === 'expired' ? 'approval_required' : 'permission_denied';
    this.#end = { outcome: 'not_sent', failed: true, code };
  }

  /** Resolves once it is certain that the call is found after a crash; undefined where it is. Nothing is sent before. */
  sending(): Promise<void> | undefined {
    this.#sent = true;
    return this.#call.sending();
  }

  /** It did not leave after all. */
  stayed(): void {
    this.#sent = false;
  }

  /** The same params, with the trace that the server goes on with. */
  traced<Params extends Record<string, unknown>>(params: Params): Params {
    if (!this.#span) return params;
    return { ...params, _meta: { ...(params._meta as object | undefined), traceparent: this.#span.traceparent } };
  }

  /** It went wrong on the way; the client is told next. */
  failed(error: unknown): void {
    const code = isJunctorError(error) ? error.code : 'internal';
    const told = isJunctorError(error) && this.#sent ? error.outcome : undefined;
    this.#end = { outcome: told ?? outcomeOf(error, this.#sent), failed: true, code };
  }

  #over(answer: AnswerSeen | undefined): void {
    const bytes = answer?.bytes ?? 0;
    if (this.#end) return this.#ended({ ...this.#end, bytes });
    if (!answer) {
      const outcome = this.#sent ? 'unknown' : 'not_sent';
      return this.#ended({ outcome, failed: true, code: 'cancelled', bytes });
    }
    const code = answer.code !== undefined ? 'server_error' : isToolError(answer) ? 'tool_failed' : undefined;
    this.#ended({ outcome: this.#sent ? 'done' : 'not_sent', failed: code !== undefined, code, bytes });
  }

  #ended(end: CallEnd): void {
    this.#call.ended(end);
    this.#span?.ended(end);
  }
}
