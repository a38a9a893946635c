/** What a conversation tells its surface: the events of the loop, with where each tool is from, and servers that are missing. */
import type { ServerFailure } from '@junctor/core';
import type { LoopEvent, Usage } from './loop/events.ts';
import type { RunOutcome } from './loop/run.ts';

export interface ToolOrigin {
  /** Absent for a tool of chat itself. */
  readonly server?: string;
  /** As its server calls it. */
  readonly name: string;
}

/** What happens while a question is answered: `type` tells which, and with that what it carries. */
export type ChatEvent =
  | (LoopEvent & { readonly from?: ToolOrigin })
  | { readonly type: 'servers-missing'; readonly failures: readonly ServerFailure[] };

export type TellChat = (event: ChatEvent) => void;

/** How one question was answered. */
export interface Reply {
  /** The conversation, for `resume`. */
  readonly session_id: string;
  /** What the model said at the end. */
  readonly response: string;
  /** How the run ended. */
  readonly ending: RunOutcome['ending'];
  /** Tokens of this answer. */
  readonly usage: Usage;
}
