/** What a REST path is: its words, what it takes and gives, and what it does. Checking and the OpenAPI document both read this. */
import type * as z from 'zod/mini';
import type { Rooms } from './rooms.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

type Schema = z.ZodMiniType;
type Read<S extends Schema | undefined> = S extends Schema ? z.output<S> : undefined;

/** What one request asks, checked. */
export interface Asked<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly headers: Headers;
  /** Aborted when nobody waits for the answer any more, or nobody may: its token was revoked. A stream ends then. */
  readonly signal: AbortSignal;
  /** What whoever asks is called, where that is known: for the audit. */
  readonly who: string | undefined;
}

export interface Answered {
  /** Default 200. */
  readonly status?: number;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One way a request may go well. */
export interface AnswerSpec {
  readonly description: string;
  readonly schema?: Schema;
  /** Where it is not JSON. */
  readonly contentType?: string;
}

export interface RouteSpec<
  Params extends Schema | undefined,
  Query extends Schema | undefined,
  Body extends Schema | undefined,
> {
  readonly method: Method;
  /** With `{name}` for what varies. */
  readonly path: string;
  readonly summary: string;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly answers: Readonly<Record<number, AnswerSpec>>;
  run(asked: Asked<Read<Params>, Read<Query>, Read<Body>>, rooms: Rooms): Promise<Answered | Response>;
}

export type Route = RouteSpec<Schema | undefined, Schema | undefined, Schema | undefined>;

/** Lets the compiler infer what `run` is given from the schemas beside it. */
export function route<
  Params extends Schema | undefined = undefined,
  Query extends Schema | undefined = undefined,
  Body extends Schema | undefined = undefined,
>(spec: RouteSpec<Params, Query, Body>): Route {
  return spec as unknown as Route;
}
