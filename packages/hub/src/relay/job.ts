/** One request of a client that a server is to answer. */
import { JunctorError, type ToolRef } from '@junctor/core';
import type { AnswerId, Frame, Heartbeats, Link, RepeatGuard } from '@junctor/core/internal';
import { canonicalJson, META } from '@junctor/core/internal';
import type { Flight } from '../visit/flight.ts';
import type { Reply } from '../visit/reply.ts';
import type { Caller, Request } from '../visit/room.ts';
import type { Instances } from './instances.ts';
import type { Upstream } from './upstream.ts';

export interface Job {
  readonly upstream: Upstream;
  /** Where another life of the server can be had. */
  readonly instances: Instances;
  /** With the server's own names in it. */
  readonly request: Request;
  readonly reply: Reply;
  readonly flight: Flight;
  readonly caller: Caller;
  /** Where it is written down that it leaves. Undefined for what nobody writes down. */
  readonly departure?: Departure | undefined;
  /** Keeps clients that asked for progress from giving up on a silent server. */
  readonly heartbeats: Heartbeats;
  /** How far progress was told before it is sent. */
  readonly progress?: number | undefined;
  /** What decides whether a call that may have run is repeated. Undefined: only a request that cannot have run is. */
  readonly repeatGuard?: RepeatGuard | undefined;
  /** How a failure of the server is told to this client. */
  readonly onFailure: (reply: Reply, error: JunctorError) => void;
  /** Turns an answer into the words of a door. Undefined: it passes as it is. */
  readonly translate?: ((frame: Frame, at: AnswerId) => Translated) | undefined;
}

/** The books, as far as they are told that a request leaves: what never left can be repeated without fear. */
export interface Departure {
  /** Resolves once it is certain to be found after a crash; undefined where it is. Nothing is sent before. */
  sending(): Promise<void> | undefined;
  /** It was given up at the last moment. */
  stayed(): void;
}

export type Translated = object | AnswerError | Promise<object> | undefined;

/** An answer that is an error, in place of a result. */
export class AnswerError {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;

  constructor(code: number, message: string, data: unknown) {
    this.code = code;
    this.message = message;
    this.data = data;
  }
}

/** What is asked, as far as it tells what the server will do. */
export function whatOf({ method, params }: Request): string {
  return `${method}\0${typeof params.name === 'string' ? params.name : ''}`;
}

/** The call that somebody is asked about: the server, the tool and the arguments. */
export function whatIsAsked({ ref, request }: { readonly ref: ToolRef; readonly request: Request }): string {
  return canonicalJson([ref.server, ref.tool, request.params.arguments ?? {}]);
}

export function progressTokenOf({ params }: Request): unknown {
  return (params._meta as { progressToken?: unknown } | undefined)?.progressToken;
}

const ENVELOPE: ReadonlySet<string> = new Set([
  META.protocolVersion,
  META.clientInfo,
  META.clientCapabilities,
  META.logLevel,
]);

/** The params as a server of this era wants them from this caller. */
export function dressedFor(
  { greeting }: Link,
  { request, caller }: Pick<Job, 'request' | 'caller'>,
): Record<string, unknown> {
  const { params } = request;
  const meta = params._meta as Record<string, unknown> | undefined;
  if (greeting.era === caller.era) return params;
  if (greeting.era === 'modern') {
    // Every request says what its sender can do: that is the client, and not the hub.
    const level = caller.logLevel === undefined ? {} : { [META.logLevel]: caller.logLevel };
    return { ...params, _meta: { ...meta, [META.clientCapabilities]: caller.capabilities, ...level } };
  }
  const { inputResponses: _responses, requestState: _state, _meta: _envelope, ...own } = params;
  const kept = Object.entries(meta ?? {}).filter(([key]) => !ENVELOPE.has(key));
  return kept.length > 0 ? { ...own, _meta: Object.fromEntries(kept) } : own;
}

export function heldUp(server: string): JunctorError {
  return new JunctorError('timeout', `Server '${server}' is held up by another session.`, {
    server,
    why: 'what it asks can be brought to one session at a time, and that one has not answered yet',
    hint: 'call again, or give each session a server of its own: "mode": "per_session"',
  });
}
