/** What a REST path is: its words, what it takes and gives, and what it does. Checking and the OpenAPI document both read this. */
import type { Caller } from '@junctor/core';
import type * as z from 'zod/mini';
import type { TokenMaker } from '../store/token-maker.ts';
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
  /** Who asks. */
  readonly caller: Caller;
  /** Who asks, as the maker of what they make. */
  readonly maker: TokenMaker;
  /** Where the request came from. */
  readonly address: string;
  /** Whether the request came with the cookie of our own page. */
  readonly atPage: boolean;
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
  /** The body is passed on to a server: numbers that JavaScript would round are kept as their text. */
  readonly keepsDigits?: true;
  /** What it does, as the audit of acts writes it down. Every route that is not read with GET has one, or `changesNothing`. */
  readonly act?: string;
  /** It only reads, or is written down elsewhere. */
  readonly changesNothing?: true;
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
