/** One question from the command line, one answer. The answer goes to stdout, whatever happens meanwhile beside it. */
import type { Ask } from '@junctor/core';
import type { Told } from '@junctor/core/light';
import type { ChatEvent, Reply } from './chat-event.ts';
import { configNotes } from './config-notes.ts';
import { Conversation } from './conversation.ts';
import type { OpenAgent } from './open-agent.ts';
import { EventLines } from './show/event-lines.ts';
import { WordMask } from './word-mask.ts';

/** One question, and who hears what happens. */
export interface OneShot {
  /** Opened by `openAgent`. */
  readonly agent: OpenAgent;
  /** The question. */
  readonly prompt: string;
  /** The conversation to go on with: its id, the beginning of it, or empty for the last one. */
  readonly resume?: string | undefined;
  /** Stops the run, and cancels its calls at their servers. */
  readonly signal?: AbortSignal | undefined;
  /** Asked about calls that no rule allows. Default: the host's. */
  readonly ask?: Ask | undefined;
  /** The answer as it comes; secrets masked. */
  readonly write?: ((text: string) => void) | undefined;
  /** A line beside the answer. */
  readonly talk?: ((line: string) => void) | undefined;
  /** Where programs read: every event, and the reply as the last. */
  readonly onEvent?: ((event: OneShotEvent) => void) | undefined;
}

/** What happens, as values that have JSON: errors are told in words. */
export type OneShotEvent =
  | Exclude<ChatEvent, { readonly type: 'servers-missing' }>
  | {
      readonly type: 'servers-missing';
      readonly failures: readonly { readonly server: string; readonly error: Told }[];
    }
  | ({ readonly type: 'reply' } & Reply);

/** Answers one question, with as many calls of tools as that takes. */
export async function oneShot(options: OneShot): Promise<Reply> {
  const { agent, prompt, signal = new AbortController().signal, ask, resume } = options;
  const saved = resume === undefined ? agent.sessions.begin({ cwd: agent.cwd, model: agent.modelName }) : undefined;
  const conversation = new Conversation(agent, saved ?? (await agent.sessions.find(resume ?? '', agent.cwd)));
  for (const note of configNotes(agent.host)) options.talk?.(note);
  const tell = options.onEvent ? jsonEvents(agent, options.onEvent) : shownEvents(options);
  const reply = await conversation.say(prompt, { signal, ask, tell });
  if (options.onEvent) options.onEvent({ type: 'reply', ...reply });
  else tell({ type: 'step-end', usage: reply.usage });
  return reply;
}

/** Errors have no JSON of their own. */
function jsonEvents({ host, answers }: OpenAgent, onEvent: (event: OneShotEvent) => void): (event: ChatEvent) => void {
  const words = new WordMask(answers);
  const say = (text: string): void => {
    if (text !== '') onEvent({ type: 'text', text });
  };
  return event => {
    if (event.type === 'text') return say(words.push(event.text));
    if (event.type === 'step-end' || event.type === 'tool-begin') say(words.rest());
    if (event.type !== 'servers-missing') return onEvent(event);
    const failures = event.failures.map(({ server, error }) => {
      const { code, message, why } = error;
      const hint = host.nextStep(error);
      return { server, error: { code, message, ...(why ? { why } : {}), ...(hint ? { hint } : {}) } };
    });
    onEvent({ type: event.type, failures });
  };
}

function shownEvents({ agent, write = () => {}, talk = () => {} }: OneShot): (event: ChatEvent) => void {
  const mask = new WordMask(agent.answers);
  const lines = new EventLines(agent.host);
  let atLineStart = true;
  const say = (text: string): void => {
    if (text === '') return;
    write(text);
    atLineStart = text.endsWith('\n');
  };
  const endLine = (): void => {
    say(mask.rest());
    if (!atLineStart) say('\n');
  };
  return event => {
    if (event.type === 'text') return say(mask.push(event.text));
    if (event.type === 'step-end' || event.type === 'tool-begin') endLine();
    for (const line of lines.of(event)) talk(line);
  };
}
