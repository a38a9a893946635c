/** What a host tells its surroundings. Names are noun then verb; keys are added, never renamed. */
import type { JunctorError } from '../base/error.ts';
import type { ServerLogLevel } from '../connections/client-features/log-message.ts';
import type { LinkState } from '../connections/link.ts';
import type { ApprovalOutcome } from '../permissions/approvals.ts';
import type { ToolResult } from '../results/tool-result.ts';

/** What `host.events` tells. The `type` says which one it is, and with that what it carries. */
export type HostEvent =
  | StartupUpdate
  | StartupComplete
  | StateChanged
  | ListChanged
  | ResourceUpdated
  | AuthRequired
  | LogMessage
  | ElicitationComplete
  | AnswerFailed
  | ApprovalRequested
  | ApprovalAnswered
  | ToolCallBegin
  | ToolCallProgress
  | ToolCallEnd;

/** How far a server is that is being started; the last one of a server tells how it ended. */
export interface StartupUpdate {
  readonly type: 'startup-update';
  readonly server: string;
  readonly status: StartupStatus;
}

export type StartupStatus = 'starting' | 'ready' | 'auth_required' | 'failed';

/** Every server that was to be started is either there or not. */
export interface StartupComplete {
  readonly type: 'startup-complete';
  /** The servers that are ready. */
  readonly servers: readonly string[];
  readonly failed: readonly { readonly server: string; readonly error: JunctorError }[];
}

export interface StateChanged {
  readonly type: 'state-changed';
  readonly server: string;
  readonly state: LinkState;
}

/** A server says that one of its lists is no longer what it was. */
export interface ListChanged {
  readonly type: 'list-changed';
  readonly server: string;
  readonly list: 'tools' | 'resources' | 'prompts';
}

/** A resource that was subscribed to is no longer what it was. */
export interface ResourceUpdated {
  readonly type: 'resource-updated';
  readonly server: string;
  readonly uri: string;
}

/** A server wants a person to sign in. */
export interface AuthRequired {
  readonly type: 'auth-required';
  readonly server: string;
  /** Where the person signs in, once that is known. */
  readonly url?: string;
  /** What begins it: a call of this library, or a command, as `nextSteps` of the host says. */
  readonly hint?: string;
}

/** A line of a server's own log. Its text is the server's: show it as such, and never as ours. */
export interface LogMessage {
  readonly type: 'log-message';
  readonly server: string;
  readonly level: ServerLogLevel;
  readonly logger?: string;
  readonly data: unknown;
}

/** What a person was sent to a page for is done, says the server. */
export interface ElicitationComplete {
  readonly type: 'elicitation-complete';
  readonly server: string;
  readonly elicitation_id: string;
}

/** A function of the embedding program (`roots`, `sample`, `elicit`) failed, or returned what cannot be sent. */
export interface AnswerFailed {
  readonly type: 'answer-failed';
  readonly server: string;
  /** What the server had asked. */
  readonly method: string;
  readonly error: Error;
}

/** A call waits for somebody to say whether it may run. */
export interface ApprovalRequested {
  readonly type: 'approval-requested';
  readonly approval_id: string;
  readonly server: string;
  readonly tool: string;
  /** Secrets masked. */
  readonly args: unknown;
  readonly because: string;
  readonly changed?: readonly string[];
  readonly session?: string;
  readonly agent?: string;
  /** Both as ISO dates. */
  readonly since: string;
  readonly expires?: string;
}

/** The question is settled, wherever it was answered, or not at all. */
export interface ApprovalAnswered {
  readonly type: 'approval-answered';
  readonly approval_id: string;
  readonly server: string;
  readonly tool: string;
  readonly session?: string;
  readonly agent?: string;
  readonly outcome: ApprovalOutcome;
  /** Who said it and where, and what the model is told with a no. */
  readonly by?: string;
  readonly note?: string;
}

interface AboutToolCall {
  readonly server: string;
  readonly tool: string;
  readonly call_id: string;
}

export interface ToolCallBegin extends AboutToolCall {
  readonly type: 'tool-call-begin';
}

export interface ToolCallProgress extends AboutToolCall {
  readonly type: 'tool-call-progress';
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
  readonly elapsed_ms: number;
}

export interface ToolCallEnd extends AboutToolCall {
  readonly type: 'tool-call-end';
  /** What came of it. Of a call that ended in an error it has the sentence. */
  readonly result: ToolResult;
  readonly is_error: boolean;
}
