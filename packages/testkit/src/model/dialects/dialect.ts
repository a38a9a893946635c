/** One provider's API: how its requests look, and how a turn is written down in it. */
import type { ModelRequest, Spoken } from '../turn.ts';

export interface ServerSentEvent {
  readonly event?: string;
  readonly data: unknown;
}

/** What a stream does besides going on. */
export const HANGS: unique symbol = Symbol('hangs');
export const BREAKS: unique symbol = Symbol('breaks');
export type StreamStep = ServerSentEvent | typeof HANGS | typeof BREAKS;

export interface Dialect {
  readonly path: RegExp;
  /** What this API would refuse, in words. Nothing where the request is as documented. */
  complaints(body: unknown): readonly string[];
  wantsStream(request: ModelRequest): boolean;
  modelOf(request: ModelRequest): string;
  answer(turn: Spoken, request: ModelRequest): object;
  stream(turn: Spoken, request: ModelRequest): Iterable<StreamStep>;
  /** Sent after the last event, where the API marks the end. */
  readonly lastLine?: string;
  refusal(status: number, message: string): object;
}
