/** The conversations of an agent that is served: any number at once, one answer at a time in each. */
import type { Ask } from '@junctor/core';
import { isJunctorError } from '@junctor/core/light';
import type { ChatEvent, Reply } from '../chat-event.ts';
import { type Agent, Conversation } from '../conversation.ts';
import { nameOf } from '../show/event-lines.ts';
import { InvalidArguments } from './serving.ts';

export interface Turn {
  readonly ask: Ask | undefined;
  readonly signal: AbortSignal;
  tell(message: string): void;
}

export class Conversations {
  readonly #agent: Agent;
  readonly #open = new Map<string, Promise<Conversation>>();
  /** The last answer in work of each. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(agent: Agent) {
    this.#agent = agent;
  }

  async begin(prompt: string, turn: Turn): Promise<Reply> {
    const { cwd, modelName: model, sessions } = this.#agent;
    const conversation = new Conversation(this.#agent, sessions.begin({ cwd, model }));
    this.#open.set(conversation.id, Promise.resolve(conversation));
    return this.#say(conversation, prompt, turn);
  }

  /** Also one of an earlier run of the program. */
  async goOn(id: string, message: string, turn: Turn): Promise<Reply> {
    const opening = this.#open.get(id) ?? this.#resume(id);
    this.#open.set(id, opening);
    const conversation = await opening.catch(error => {
      this.#open.delete(id);
      throw error;
    });
    const before = this.#last.get(id) ?? Promise.resolve();
    const reply = before.then(() => this.#say(conversation, message, turn));
    this.#last.set(
      id,
      reply.catch(() => {}),
    );
    return reply;
  }

  async #resume(id: string): Promise<Conversation> {
    const saved = await this.#agent.sessions.read(id).catch(error => {
      throw isJunctorError(error, 'not_found') ? new InvalidArguments(error.message) : error;
    });
    return new Conversation(this.#agent, saved);
  }

  #say(conversation: Conversation, prompt: string, { ask, signal, tell }: Turn): Promise<Reply> {
    const news = (event: ChatEvent): void => {
      if (event.type === 'tool-begin') tell(`calls ${nameOf(event)}`);
      if (event.type === 'tool-end') tell(`${nameOf(event)} ended`);
      if (event.type === 'step-end') tell('thinks');
    };
    return conversation.say(prompt, { signal, tell: news, ask });
  }
}
