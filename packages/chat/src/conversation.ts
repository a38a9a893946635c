/** One conversation: what was said so far, the tools of this moment, and the next question. */
import { aiTools } from '@junctor/adapters/ai-sdk';
import type { Ask, Host, ServerFailure } from '@junctor/core';
import { orAborted, stillConnecting } from '@junctor/core/internal';
import type { LanguageModel, ModelMessage, ToolSet } from 'ai';
import type { ChatEvent, Reply, TellChat, ToolOrigin } from './chat-event.ts';
import { withServerInstructions } from './instructions.ts';
import type { LoopEvent, Usage } from './loop/events.ts';
import { ModelFailure } from './loop/model-failure.ts';
import { run } from './loop/run.ts';
import { tellFailure } from './models/tell-failure.ts';
import type { FileChanges } from './native/change-file.ts';
import { nativeTools } from './native/native-tools.ts';
import { NATIVE } from './native/permitted.ts';
import type { SavedSession, Sessions } from './sessions.ts';
import type { Masking } from './word-mask.ts';

/** What a conversation stands on. */
export interface Agent {
  /** The servers and their tools. */
  readonly host: Host;
  /** A model of the AI SDK. */
  readonly model: LanguageModel;
  /** As a person names it. */
  readonly modelName: string;
  /** The folder it works in. */
  readonly cwd: string;
  /** What its commands get to see. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Changes of files by its own tools, one after the other for each file. */
  readonly files: FileChanges;
  /** What the model is told first. */
  readonly instructions: string;
  /** Conversations that are kept. */
  readonly sessions: Sessions;
  /** Masks what is known to be secret, and nothing else: for words that are an answer. */
  maskKnown(text: string): string;
  /** The same for an answer that comes in pieces. */
  readonly answers: Masking;
  /** Servers that the person disconnected: no tool of theirs is offered. */
  readonly away: Set<string>;
  /** When the tools of a server last changed while it was connected, in milliseconds since the epoch. */
  readonly toolsChangedAt: ReadonlyMap<string, number>;
  /** How long a run waits for servers that are still starting. */
  readonly patienceMs: number;
}

export interface Saying {
  readonly signal: AbortSignal;
  readonly tell: TellChat;
  readonly ask?: Ask | undefined;
  /** Files and texts that go with the question. */
  readonly attached?: readonly string[];
}

export class Conversation {
  readonly #agent: Agent;
  #saved: SavedSession;
  /** Missing servers that were told: once is enough. */
  readonly #told = new Set<string>();
  /** Every tool that was offered so far: a model may call one that is gone. */
  readonly #origins = new Map<string, ToolOrigin>();

  constructor(agent: Agent, saved: SavedSession) {
    this.#agent = agent;
    this.#saved = saved;
  }

  get id(): string {
    return this.#saved.id;
  }

  get usage(): Usage {
    return this.#saved.usage;
  }

  async say(prompt: string, { signal, tell, ask, attached = [] }: Saying): Promise<Reply> {
    const { host, model } = this.#agent;
    const asked = new AskedTime();
    const offered = await orAborted(this.#tools(asked.timed(ask)), signal).catch(error => {
      if (!signal.aborted) throw error;
    });
    if (!offered) return { session_id: this.id, response: '', ending: 'cancelled', usage: { input: 0, output: 0 } };
    const { tools, origins, failures } = offered;
    const instructions = withServerInstructions(this.#agent.instructions, offered.serverInstructions);
    const missing = this.#news(failures);
    if (missing.length > 0) tell({ type: 'servers-missing', failures: missing });
    const texts = [...attached, ...missing.map(failure => host.mask(missingNote(host, failure))), prompt];
    const question: ModelMessage = { role: 'user', content: texts.map(text => ({ type: 'text', text })) };
    const messages = [...this.#saved.messages, question];
    try {
      for (const [name, origin] of origins) this.#origins.set(name, origin);
      const unavailable = (tool: string): string => this.#whyUnavailable(tool);
      const outcome = await run({ model, tools, instructions, messages, signal, unavailable }, event =>
        tell(asked.without(withOrigin(event, origins))),
      );
      const { input, output } = this.#saved.usage;
      const usage = { input: input + outcome.usage.input, output: output + outcome.usage.output };
      await this.#save({ messages: [...messages, ...outcome.messages], usage }, prompt);
      const { text: response, ending } = outcome;
      return { session_id: this.id, response, ending, usage: outcome.usage };
    } catch (error) {
      // Calls that ran did so: the model must know when it is asked again.
      if (error instanceof ModelFailure && error.messages.length > 0)
        await this.#save({ messages: [...messages, ...error.messages], usage: this.#saved.usage }, prompt);
      throw tellFailure(error, this.#agent.modelName);
    }
  }

  async #tools(ask: Ask | undefined): Promise<OfferedTools> {
    const { host, model, cwd, env, files, patienceMs, away } = this.#agent;
    const servers = host.links.ids.filter(id => !away.has(id));
    const native = nativeTools({ host, cwd, env, files, ask, session: this.id });
    const given = await aiTools(host, { native, model, session: this.id, patienceMs, ask, servers });
    const tools: ToolSet = given.tools;
    const origins = new Map(Object.entries(tools).map(([name, tool]) => [name, originOf(name, tool.metadata)]));
    const { serverInstructions } = given;
    return { tools, origins, serverInstructions, failures: [...given.failures, ...stillStarting(host)] };
  }

  /** The code is that of every other surface. */
  #whyUnavailable(tool: string): string {
    const server = this.#origins.get(tool)?.server;
    if (server === undefined) return `There is no tool '${tool}'. Use one of those that are offered. (tool_not_found)`;
    if (!this.#agent.away.has(server)) return `MCP server '${server}' does not offer '${tool}' now. (tool_not_found)`;
    const back = `/mcp connect ${server}`;
    return `'${tool}' is not available: the person disconnected MCP server '${server}'. ${back} connects it. (tool_not_found)`;
  }

  #news(failures: readonly ServerFailure[]): ServerFailure[] {
    return failures.filter(({ server, error }) => {
      const news = `${server}\0${error.code}`;
      return !this.#told.has(news) && this.#told.add(news);
    });
  }

  async #save(changes: Pick<SavedSession, 'messages' | 'usage'>, prompt: string): Promise<void> {
    this.#saved = { ...this.#saved, title: this.#saved.title || prompt.slice(0, 80), ...changes };
    await this.#agent.sessions.save(this.#saved);
  }
}

type Origins = ReadonlyMap<string, ToolOrigin>;

/** What one run begins with. */
interface OfferedTools {
  readonly tools: ToolSet;
  readonly origins: Origins;
  readonly serverInstructions: string | undefined;
  readonly failures: readonly ServerFailure[];
}

function originOf(name: string, metadata: unknown): ToolOrigin {
  const { server, tool } = (metadata ?? {}) as { server?: string; tool?: string };
  return server === undefined || tool === undefined ? { name } : { server, name: tool };
}

function withOrigin(event: LoopEvent, origins: Origins): ChatEvent {
  const from = 'tool' in event ? origins.get(event.tool) : undefined;
  return from ? { ...event, from } : event;
}

function missingNote(host: Host, { server, error }: ServerFailure): string {
  const step = host.stepForPerson(error);
  return `[Junctor: the tools of MCP server '${server}' are not available: ${error.message}${step ? ` The person can: ${step}` : ''}]`;
}

/** Its tools come with a later question. */
function stillStarting(host: Host): ServerFailure[] {
  return host.links.ids.flatMap(server => {
    const state = host.links.state(server);
    // One that failed before is among the failures.
    if (state.kind !== 'connecting' || state.lastError) return [];
    return [{ server, error: stillConnecting(server) }];
  });
}

/** How long a person was asked about each call: that is no time of its tool. */
export class AskedTime {
  /** Milliseconds by call: the same call asked about twice at once counts once for each. */
  readonly #asked = new Map<string, number>();
  readonly #calls = new Map<string, string>();

  /** The same question, with its time noted. */
  timed(ask: Ask | undefined): Ask | undefined {
    if (!ask) return undefined;
    return async question => {
      const since = performance.now();
      try {
        return await ask(question);
      } finally {
        const call = callKey(question.server, question.tool, question.args);
        this.#asked.set(call, (this.#asked.get(call) ?? 0) + performance.now() - since);
      }
    };
  }

  /** The same event; the duration of a call without the time of the person. */
  without(event: ChatEvent): ChatEvent {
    if (event.type === 'tool-begin')
      this.#calls.set(event.id, callKey(event.from?.server ?? NATIVE, event.from?.name ?? event.tool, event.input));
    if (event.type !== 'tool-end') return event;
    const call = this.#calls.get(event.id) ?? '';
    const asked = this.#asked.get(call) ?? 0;
    this.#calls.delete(event.id);
    this.#asked.delete(call);
    return { ...event, ms: Math.max(0, Math.round(event.ms - asked)) };
  }
}

function callKey(server: string, tool: string, args: unknown): string {
  return JSON.stringify([server, tool, args ?? {}]);
}
