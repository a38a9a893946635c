/**
 * What we answer when a server asks something of us, whichever era it speaks: as a request of its own (up to 2025-11-25) or
 * as the inputs a result is waiting for (2026-07-28).
 */
import { RPC_CODE } from '../../base/rpc-code.ts';
import type { ServerLogLevel } from './log-message.ts';

/** Who asks, and until when the answer is wanted. */
export interface Asker {
  /** The id of the server in the config. */
  readonly server: string;
  /** Aborted where the server no longer wants an answer, or is gone. */
  readonly signal: AbortSignal;
  /** The request of ours on whose own stream it was asked, where the transport tells. */
  readonly during?: number | undefined;
}

export interface Answers {
  /** What we tell servers that we can do. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** The least important log messages that servers should send. Undefined: what they think best. */
  readonly logLevel?: ServerLogLevel | undefined;
  /**
   * Throws `MethodNotFound` for what nobody here serves, `Refusal` for a no. It may take as long as a person takes: that
   * time is ours, and no silence of the server.
   */
  answer(method: string, params: unknown, asker: Asker): Promise<unknown>;
  /**
   * A call was refused until the person has visited some pages (-32042). True: they went, so the call can be made again.
   * Undefined for any other error.
   */
  visit?(error: unknown, asker: Asker): Promise<boolean> | undefined;
  /** The server says that the person is done at a page. False where nobody was sent there. */
  visited?(server: string, elicitationId: string): boolean;
}

/** One kind of question: what is declared for it, and who answers it. */
export interface AnswerKind {
  readonly method: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  answer(params: unknown, asker: Asker): Promise<unknown>;
}

/** Thrown where nobody here serves the method. */
export class MethodNotFound extends Error {}

/** A no with the code that the protocol has for it. */
export class Refusal extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** JSON-RPC's own codes, and the one that MCP uses where a person said no. */
export const REFUSED = { byPerson: -1, badParams: RPC_CODE.invalidParams, inside: RPC_CODE.internal } as const;
