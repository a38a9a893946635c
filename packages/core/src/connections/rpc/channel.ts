import type { JunctorError } from '../../base/error.ts';
import type { Tail } from '../process/tail.ts';
import type { Frame } from './frame.ts';

/** What every transport is to the rest of the house: messages go in as text and come out as frames. */
export interface Channel {
  /**
   * Hands one message over. `id` names the request it carries, so that a refusal can be told to whoever waits; `headers` are
   * for transports that have them.
   */
  send(text: string, id?: number, headers?: Readonly<Record<string, string>>): void;
  /** Nobody waits for the answer to this request any more: what is held open for it can be let go. */
  abandon?(id: number): void;
  /** Begins to deliver. Called once, before the first `send`. */
  listen(listener: ChannelListener): void;
  /** Told once the greeting is over: HTTP repeats the version in every request. */
  agreed?(protocolVersion: string): void;
  /** Told once we have said hello as well: from now on the server may speak of its own accord. */
  greeted?(): void;
  /** What the program behind it prints, and its process id, where we started one. */
  readonly output?: Tail | undefined;
  readonly pid?: number | undefined;
  /** What the other side last said outside the protocol, and where: `its last lines on stderr: …`. */
  lastWords?(): string | undefined;
}

export interface ChannelListener {
  /** How many requests wait for an answer. */
  readonly inFlight: number;
  /** Whether somebody still waits for the answer to this request. */
  awaits(id: number): boolean;
  /** The request waits on our side, for a sign-in say: until it is sent, its time does not run. */
  onHeld(id: number): void;
  onSent(id: number): void;
  /** `during` names the request on whose own stream it came, where the transport has such streams. */
  onFrame(frame: Frame, during?: number): void;
  onOversized(ends: Frame, bytes: number): void;
  /** The request with this id will get no answer. Harmless when it has one already. */
  onRefused(id: number, error: JunctorError): void;
  /** Nothing new can be sent; requests that are out still get their answers, or a refusal each. */
  onRetired(error: JunctorError): void;
  /** Nothing more will come. */
  onClosed(error: JunctorError): void;
}
