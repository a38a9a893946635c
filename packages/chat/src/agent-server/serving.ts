/** What the agent needs of whoever serves it, and what it offers. No protocol is spoken here. */
export type Answers = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface FormQuestion {
  readonly method: 'elicitation/create';
  readonly params: Readonly<Record<string, unknown>>;
}

/** One call of a client. */
export interface CallContext {
  /** Aborted when the client cancels the call, or is gone. */
  readonly signal: AbortSignal;
  /** What the client says it can do. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** Keys of questions that the client brings answers to, where it asks again with them. */
  readonly answered: readonly string[];
  /** A conversation can be read from now on. */
  publish(transcript: Transcript): void;
  progress(progress: number, total: number | undefined, message?: string): void;
  /** May throw, where the client has to come back with the answers; the call is made again then. */
  ask(questions: Readonly<Record<string, FormQuestion>>): Promise<Answers>;
}

export interface AgentTool {
  readonly definition: {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: object;
    readonly outputSchema: object;
    readonly annotations: object;
  };
  run(args: Readonly<Record<string, unknown>>, context: CallContext): Promise<object>;
}

export interface AgentPrompt {
  readonly definition: {
    readonly name: string;
    readonly description: string;
    readonly arguments?: readonly {
      readonly name: string;
      readonly description: string;
      readonly required?: boolean;
    }[];
  };
  messages(args: Readonly<Record<string, string>>): readonly object[];
}

export interface Transcript {
  readonly definition: {
    readonly uri: string;
    readonly name: string;
    readonly description: string;
    readonly mimeType: string;
  };
  read(): Promise<{ readonly text: string }>;
}

/** The arguments of a call are not what the tool takes. */
export class InvalidArguments extends Error {
  override readonly name = 'InvalidArguments';
}
