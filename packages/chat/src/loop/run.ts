/**
 * One run: the model is asked, the tools it wants are called, all at once where it wants several, and it is asked again with
 * their answers until it has no more wishes. It knows tools and a model, and nothing of where either comes from.
 */
import {
  isStepCount,
  type LanguageModel,
  type ModelMessage,
  NoSuchToolError,
  streamText,
  type TextStreamPart,
  type ToolSet,
} from 'ai';
import type { Tell, Usage } from './events.ts';
import { InFlight } from './in-flight.ts';
import { modelFailure } from './model-failure.ts';

export interface Run {
  readonly model: LanguageModel;
  readonly tools: ToolSet;
  readonly instructions: string;
  readonly messages: readonly ModelMessage[];
  readonly signal: AbortSignal;
  /** What is said to the model, and to the person, about a tool that it calls and does not have. */
  unavailable?(tool: string): string;
  /** How often the model may be asked. Default: 100. */
  readonly maxSteps?: number;
  /** How often a request is sent again that the provider had no time for. Default: 2. */
  readonly maxRetries?: number;
}

export interface RunOutcome {
  /** `steps`: it was stopped because it asked too often. */
  readonly ending: 'done' | 'cancelled' | 'steps';
  /** The words of the last answer. */
  readonly text: string;
  /** What is to be added to the conversation. */
  readonly messages: readonly ModelMessage[];
  readonly usage: Usage;
}

/** More than any errand takes; a model that goes in circles must end some time. */
const MAX_STEPS = 100;

/** Throws a ModelFailure where the provider does not answer. */
export async function run({ maxSteps = MAX_STEPS, maxRetries = 2, ...given }: Run, tell: Tell): Promise<RunOutcome> {
  const calls = new InFlight();
  const log = new RunLog(tell);
  const { model, instructions, messages, signal } = given;
  const { fullStream } = streamText({
    model,
    instructions,
    messages: [...messages],
    tools: calls.follow(given.tools),
    abortSignal: signal,
    stopWhen: isStepCount(maxSteps),
    maxRetries,
    // A call that cannot be repaired ends with this error: both read its words.
    repairToolCall: async ({ toolCall, error }) => {
      if (NoSuchToolError.isInstance(error) && given.unavailable)
        Object.assign(error, { name: '', message: given.unavailable(toolCall.toolName) });
      return null;
    },
    onStepEnd: ({ response }) => log.keep(response.messages),
    // Told once, by what is thrown below.
    onError: () => {},
  });
  try {
    for await (const part of fullStream) log.hear(part);
  } catch (error) {
    if (!signal.aborted) log.failure ??= error;
  }
  await calls.ended();
  if (signal.aborted) return log.outcome('cancelled');
  if (log.failure !== undefined) {
    const failure = modelFailure(log.failure, log.begun);
    failure.messages = log.outcome('done').messages;
    throw failure;
  }
  return log.outcome(log.steps >= maxSteps && log.wantsMore ? 'steps' : 'done');
}

class RunLog {
  readonly #tell: Tell;
  readonly #began = new Map<string, number>();
  #messages: readonly ModelMessage[] = [];
  #text = '';
  #usage: Usage = { input: 0, output: 0 };
  failure: unknown;
  steps = 0;
  wantsMore = false;
  /** Whether anything of the present answer has come. */
  begun = false;

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  /** Each step brings its own messages: the answer of the model, and those of the tools it called. */
  keep(messages: readonly ModelMessage[]): void {
    this.#messages = [...this.#messages, ...messages];
  }

  hear(part: TextStreamPart<ToolSet>): void {
    switch (part.type) {
      case 'start-step':
        this.#text = '';
        this.begun = false;
        break;
      case 'text-delta':
        this.begun = true;
        this.#text += part.text;
        this.#tell({ type: 'text', text: part.text });
        break;
      case 'reasoning-delta':
        this.begun = true;
        this.#tell({ type: 'reasoning', text: part.text });
        break;
      case 'tool-call':
        this.#began.set(part.toolCallId, performance.now());
        this.#tell({ type: 'tool-begin', id: part.toolCallId, tool: part.toolName, input: part.input });
        break;
      case 'tool-result':
        if (part.preliminary)
          this.#tell({ type: 'tool-progress', id: part.toolCallId, tool: part.toolName, output: part.output });
        else this.#end(part, { output: part.output });
        break;
      case 'tool-error':
        this.#end(part, { error: part.error instanceof Error ? part.error.message : String(part.error) });
        break;
      case 'finish-step':
        this.#finish(part);
        break;
      case 'error':
        this.failure ??= part.error;
        break;
    }
  }

  outcome(ending: RunOutcome['ending']): RunOutcome {
    const messages = ending === 'cancelled' ? [...this.#messages, this.#interrupted()] : this.#messages;
    return { ending, text: this.#text, messages, usage: this.#usage };
  }

  /** The model will want to know why its last words end in the middle. */
  #interrupted(): ModelMessage {
    return { role: 'assistant', content: `${this.begun ? this.#text : ''}\n[interrupted by the person]`.trim() };
  }

  #end(call: { readonly toolCallId: string; readonly toolName: string }, how: { output?: unknown; error?: string }) {
    const began = this.#began.get(call.toolCallId) ?? performance.now();
    const ms = Math.round(performance.now() - began);
    this.#tell({ type: 'tool-end', id: call.toolCallId, tool: call.toolName, ms, ...how });
  }

  #finish({ usage, finishReason }: Extract<TextStreamPart<ToolSet>, { type: 'finish-step' }>): void {
    this.steps++;
    this.wantsMore = finishReason === 'tool-calls';
    const step = { input: usage.inputTokens ?? 0, output: usage.outputTokens ?? 0 };
    this.#usage = { input: this.#usage.input + step.input, output: this.#usage.output + step.output };
    this.#tell({ type: 'step-end', usage: step });
  }
}
