/** The agent as something to be served: two tools, a few prompts, and its conversations to read. */
import type { Ask, SandboxState } from '@junctor/core';
import { SuspendedCalls } from '@junctor/core/internal';
import { isJunctorError, linesOf } from '@junctor/core/light';
import type { ModelMessage } from 'ai';
import type { Reply } from '../chat-event.ts';
import type { Agent } from '../conversation.ts';
import type { SavedSession, Sessions } from '../sessions.ts';
import { Conversations, type Turn } from './conversations.ts';
import { type OpenQuestion, ParkedRun } from './parked-run.ts';
import { canBeAsked, permissionAnswer, permissionForm, wantsWhole } from './permission-form.ts';
import { type AgentPrompt, type AgentTool, type CallContext, InvalidArguments, type Transcript } from './serving.ts';

export interface AgentOffer {
  readonly tools: readonly AgentTool[];
  readonly prompts: readonly AgentPrompt[];
  readonly transcripts: readonly Transcript[];
  onSandboxState(state: object): void;
}

export interface OfferOptions {
  /** Every call runs, nobody is asked. */
  readonly yes: boolean;
}

export async function agentOffer(agent: Agent, options: OfferOptions): Promise<AgentOffer> {
  const served = new ServedAgent(agent, options);
  const saved = await agent.sessions.list();
  return {
    tools: [served.start, served.reply],
    prompts: AGENT_PROMPTS,
    transcripts: saved.map(session => transcriptOf(session, agent.sessions)),
    onSandboxState: state => agent.host.setSandboxState(state as SandboxState),
  };
}

const TEXT = { type: 'string', minLength: 1 };
const ANNOTATIONS = { readOnlyHint: false, openWorldHint: true };

class ServedAgent {
  readonly #agent: Agent;
  readonly #options: OfferOptions;
  readonly #conversations: Conversations;
  readonly #suspended = new SuspendedCalls<ParkedRun>();
  #questions = 0;

  constructor(agent: Agent, options: OfferOptions) {
    this.#agent = agent;
    this.#options = options;
    this.#conversations = new Conversations(agent);
  }

  readonly start: AgentTool = {
    definition: {
      name: 'junctor',
      description: 'Starts a conversation with the Junctor agent, which works in its folder and uses its MCP servers.',
      inputSchema: { type: 'object', properties: { prompt: TEXT }, required: ['prompt'] },
      outputSchema: {
        type: 'object',
        properties: { session_id: { type: 'string' }, response: { type: 'string' } },
        required: ['session_id', 'response'],
      },
      annotations: ANNOTATIONS,
    },
    run: async (args, context) => {
      const prompt = textIn(args, 'prompt');
      return this.#run(
        context,
        turn => this.#conversations.begin(prompt, turn),
        ({ session_id, response }) => {
          context.publish(transcriptOf({ id: session_id, title: prompt.slice(0, 80) }, this.#agent.sessions));
          return { session_id, response };
        },
      );
    },
  };

  readonly reply: AgentTool = {
    definition: {
      name: 'junctor-reply',
      description: 'Goes on with a conversation with the Junctor agent.',
      inputSchema: {
        type: 'object',
        properties: { session_id: TEXT, message: TEXT },
        required: ['session_id', 'message'],
      },
      outputSchema: { type: 'object', properties: { response: { type: 'string' } }, required: ['response'] },
      annotations: ANNOTATIONS,
    },
    run: async (args, context) => {
      const [id, message] = [textIn(args, 'session_id'), textIn(args, 'message')];
      return this.#run(
        context,
        turn => this.#conversations.goOn(id, message, turn),
        ({ response }) => ({ response }),
      );
    },
  };

  /** Starts the run, or goes on with the one that waited for this client's answer. */
  async #run(
    context: CallContext,
    say: (turn: Turn) => Promise<Reply>,
    shown: (reply: Reply) => Record<string, string>,
  ): Promise<object> {
    const run =
      this.#suspendedFor(context.answered) ??
      new ParkedRun((ask, signal, tell) => say({ ask: this.#asker(ask, context), signal, tell }));
    try {
      const reply = await this.#follow(run, context);
      const structuredContent = shown({ ...reply, response: this.#agent.maskKnown(reply.response) });
      return { content: contentOf(structuredContent), structuredContent };
    } catch (error) {
      // A provider that fails is the agent's trouble, told to whoever reads the answer; anything else is ours.
      if (!isJunctorError(error, 'model_failed')) throw error;
      const { host } = this.#agent;
      const text = host.mask(linesOf(error.message, error.why, host.nextStep(error)).join('\n'));
      return { content: [{ type: 'text', text }], isError: true };
    }
  }

  async #follow(run: ParkedRun, { signal, progress, ask }: CallContext): Promise<Reply> {
    const giveUp = (): void => run.withdraw();
    signal.addEventListener('abort', giveUp);
    let count = 0;
    run.onNews = message => progress(++count, undefined, message);
    this.#suspended.resumed(run);
    try {
      for (let step = await run.step(); step.kind !== 'end'; step = await run.step()) {
        const { open } = step;
        const key = this.#suspend(run, open);
        if (key === undefined) {
          open.settle('deny');
          continue;
        }
        // A client that has to come back ends this call here: its time runs until it does.
        const mask = (text: string): string => this.#agent.host.mask(text);
        const answers = await ask({ [key]: permissionForm(open.question, mask, open.whole) });
        this.#suspended.resumed(run);
        if (!open.whole && wantsWhole(answers[key])) {
          // The same question once more, under a key of its own: the answer to the first is spent.
          open.whole = true;
          open.key = undefined;
          continue;
        }
        open.settle(permissionAnswer(answers[key]));
      }
      this.#suspended.over(run);
      return await run.reply;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  /** The key of a question leads back to its run. It stays the same: the client's answer has it. Undefined: too many wait. */
  #suspend(run: ParkedRun, open: OpenQuestion): string | undefined {
    const state = this.#suspended.suspend(run);
    if (state === undefined) return undefined;
    open.key ??= `${state}#${++this.#questions}`;
    return open.key;
  }

  #suspendedFor(keys: readonly string[]): ParkedRun | undefined {
    for (const key of keys) {
      const found = this.#suspended.find(key.slice(0, key.lastIndexOf('#')), 'client');
      if (found && found !== 'over') return found;
    }
    return undefined;
  }

  /** Who cannot be asked is not: then the rules decide alone. */
  #asker(ask: Ask, { capabilities }: CallContext): Ask | undefined {
    if (this.#options.yes) return async () => true;
    return canBeAsked(capabilities) ? ask : undefined;
  }
}

/** Most models see the content alone: without the id there they could not go on with the conversation. */
function contentOf({ response, session_id }: Readonly<Record<string, string>>): object[] {
  const answer = { type: 'text', text: response };
  if (session_id === undefined) return [answer];
  return [answer, { type: 'text', text: `session_id: ${session_id} (for junctor-reply)` }];
}

function textIn(args: Readonly<Record<string, unknown>>, name: string): string {
  const value = args[name];
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw new InvalidArguments(`The argument '${name}' must be a text.`);
}

/** Errands that a client can offer its person. */
const say = (text: string): object => ({ role: 'user', content: { type: 'text', text } });

const AGENT_PROMPTS: readonly AgentPrompt[] = [
  {
    definition: {
      name: 'ask-junctor',
      description: 'Hands a task to the Junctor agent.',
      arguments: [{ name: 'task', description: 'What it is to do', required: true }],
    },
    messages: ({ task = '' }) => [say(`Use the tool junctor for this, and tell me what it answers: ${task}`)],
  },
  {
    definition: { name: 'review-changes', description: 'Lets the Junctor agent review what changed in its folder.' },
    messages: () => [say('Use the tool junctor to review the uncommitted changes in its working directory.')],
  },
];

/** Conversations as texts that a client can read. */
function transcriptOf({ id, title }: Pick<SavedSession, 'id' | 'title'>, sessions: Sessions): Transcript {
  return {
    definition: {
      uri: `junctor://sessions/${id}`,
      name: title || id,
      description: 'What was said in this conversation.',
      mimeType: 'text/plain',
    },
    read: async () => ({ text: textOf((await sessions.read(id)).messages) }),
  };
}

function textOf(messages: readonly ModelMessage[]): string {
  return messages.flatMap(({ role, content }) => partsOf(content).map(part => `${role}: ${part}`)).join('\n\n');
}

function partsOf(content: ModelMessage['content']): string[] {
  if (typeof content === 'string') return [content];
  return content.flatMap(part => {
    if (part.type === 'text') return [part.text];
    if (part.type === 'tool-call') return [`[calls ${part.toolName} ${JSON.stringify(part.input)}]`];
    return part.type === 'tool-result' ? [`[${part.toolName} answered ${JSON.stringify(part.output)}]`] : [];
  });
}
