/** What a door writes down: each call with its outcome, each session with how far it has come with each server. */
import type { Caller, CallObserver, Decision, Host, ToolCall, ToolRef } from '@junctor/core';
import { failedEnd } from '@junctor/core/internal';
import type { Departure } from '../relay/job.ts';
import type { OpenSpan } from '../traces/tracer.ts';
import { type AnswerSeen, isToolError } from './answer-seen.ts';
import type { CallAbout, CallEnd, OpenCall } from './call-record.ts';
import type { Records } from './records.ts';

/** Whoever is at the door, as far as it is written down. */
export interface NotedSession {
  readonly id: string;
  readonly principal: string;
  /** Who makes its calls. */
  readonly identity: Caller;
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
  readonly sessions: Pick<Records['sessions'], 'opened' | 'reached' | 'delivered' | 'has' | 'isInitialised'>;
  readonly tracer: Records['tracer'];
}

/** Longer names come from clients that make them up. */
const MAX_TOOL_CHARS = 200;

export class DoorNotes {
  readonly #records: DoorRecords;
  readonly #mask: CallAbout['mask'];

  constructor(records: DoorRecords, host: Host) {
    this.#records = records;
    this.#mask = text => host.mask(text);
  }

  /** A client greeted. `servers`: those that have a part in the answer. */
  greeted(session: NotedSession, door: NotedDoor, servers: Iterable<string>, protocol = session.era): void {
    const { sessions } = this.#records;
    const { id, client, principal, door: path, capabilities, identity } = session;
    const name = client.version === undefined ? client.name : `${client.name} ${client.version}`;
    sessions.opened({
      id,
      agent: identity.agent,
      project: identity.project,
      ...door,
      client: name,
      protocol,
      principal,
      door: path,
      capabilities,
    });
    sessions.reached(id, 'delivered', servers);
  }

  /** A client uses the door: in the older era that shows that it finished its greeting, in the newer one there is none. */
  used(session: NotedSession, door: NotedDoor, servers: () => readonly string[]): void {
    const { sessions } = this.#records;
    if (sessions.isInitialised(session.id)) return;
    if (!sessions.has(session.id)) this.greeted(session, door, servers());
    sessions.reached(session.id, 'initialised', sessions.delivered(session.id));
  }

  /** `servers`: those whose tools are in the answer. */
  listed({ id }: NotedSession, servers: readonly string[]): void {
    this.#records.sessions.reached(id, 'listed', servers);
  }

  /** A call has arrived. From here on its reply tells how it ends. */
  call({ server, tool }: ToolRef, { session, reply, args, meta }: CallVisit): NotedCall {
    const { calls, sessions, tracer } = this.#records;
    const name = tool.length > MAX_TOOL_CHARS ? `${tool.slice(0, MAX_TOOL_CHARS)}…` : tool;
    const caller = session.identity;
    const about: CallAbout = { caller, server, tool: name, args, mask: this.#mask };
    const call = { ref: { server, tool }, arguments: args, caller };
    const onSending = (): void => sessions.reached(session.id, 'called', [server]);
    return new NotedCall(call, calls.begin(about), { reply, onSending, span: tracer?.begin(about, meta) });
  }
}

interface NotedCallParts {
  readonly reply: NotedReply;
  readonly span: OpenSpan | undefined;
  /** It goes to its server: only that shows that the server was called. */
  readonly onSending: () => void;
}

/** Watches one call of a client for the audit and the traces; its reply tells how it ends. */
export class NotedCall implements CallObserver, Departure {
  readonly call: ToolCall;
  readonly #record: OpenCall;
  readonly #span: OpenSpan | undefined;
  readonly #onSending: () => void;
  #sent = false;
  /** Known before the client gets its answer. */
  #end: Omit<CallEnd, 'bytes'> | undefined;

  constructor(call: ToolCall, record: OpenCall, { reply, span, onSending }: NotedCallParts) {
    this.call = call;
    this.#record = record;
    this.#span = span;
    this.#onSending = onSending;
    reply.noted = answer => this.#over(answer);
  }

  judged(call: ToolCall, decision: Decision): void {
    this.#record.judged(call, decision);
    if (decision.effect === 'deny') this.#end = { outcome: 'not_sent', failed: true, code: decision.error.code };
  }

  /** A person is asked about it. */
  asked(because: string): void {
    this.#record.asked(because);
  }

  /** Resolves once it is certain that the call is found after a crash; undefined where it is. Nothing is sent before. */
  sending(): Promise<void> | undefined {
    this.#sent = true;
    this.#onSending();
    return this.#record.sending();
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

  /** It went wrong on the way; the client gets the error next. */
  failed(error: unknown): void {
    this.#end = failedEnd(error, this.#sent);
  }

  #over(answer: AnswerSeen | undefined): void {
    const bytes = answer?.bytes ?? 0;
    if (this.#end) return this.ended(this.call, { ...this.#end, bytes });
    if (!answer) {
      const outcome = this.#sent ? 'unknown' : 'not_sent';
      return this.ended(this.call, { outcome, failed: true, code: 'cancelled', bytes });
    }
    const code = answer.code !== undefined ? 'server_error' : isToolError(answer) ? 'tool_failed' : undefined;
    this.ended(this.call, { outcome: this.#sent ? 'done' : 'not_sent', failed: code !== undefined, code, bytes });
  }

  ended(call: ToolCall, end: CallEnd): void {
    this.#record.ended(call, end);
    this.#span?.ended(call, end);
  }
}
