/** What a run tells while it goes on, in the order it happens. It speaks of tools; where they come from is not its matter. */
export type LoopEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | ToolBegin
  | ToolProgress
  | ToolEnd
  | { readonly type: 'step-end'; readonly usage: Usage };

export interface ToolBegin {
  readonly type: 'tool-begin';
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
}

/** `output` is what the tool says before it has ended. */
export interface ToolProgress {
  readonly type: 'tool-progress';
  readonly id: string;
  readonly tool: string;
  readonly output: unknown;
}

export interface ToolEnd {
  readonly type: 'tool-end';
  readonly id: string;
  readonly tool: string;
  readonly ms: number;
  /** Absent where the tool could not be run: then `error` says why. */
  readonly output?: unknown;
  readonly error?: string;
}

export interface Usage {
  readonly input: number;
  readonly output: number;
}

export type Tell = (event: LoopEvent) => void;
