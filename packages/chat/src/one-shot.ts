/** One question from the command line, one answer. The answer goes to stdout, whatever happens meanwhile beside it. */
import type { Ask } from '@junctor/core';
import type { ChatEvent, Reply } from './chat-event.ts';
import { Conversation } from './conversation.ts';
import type { OpenAgent } from './open-agent.ts';
import { EventLines } from './show/event-lines.ts';
import { WordMask } from './word-mask.ts';

export interface OneShot {
  readonly agent: OpenAgent;
  readonly prompt: string;
  /** The conversation to go on with: its id, the beginning of it, or empty for the last one. */
  readonly resume?: string | undefined;
  readonly signal: AbortSignal;
  readonly ask?: Ask | undefined;
  /** As it comes; secrets masked. */
  write(text: string): void;
  /** A line beside the answer. */
  talk(line: string): void;
  /** Where programs read: every event, and the reply as the last. */
  readonly onEvent?: ((event: object) => void) | undefined;
}

export async function oneShot(options: OneShot): Promise<Reply> {
  const { agent, prompt, signal, ask, resume } = options;
  const saved = resume === undefined ? agent.sessions.begin({ cwd: agent.cwd, model: agent.modelName }) : undefined;
  const conversation = new Conversation(agent, saved ?? (await agent.sessions.find(resume ?? '', agent.cwd)));
  const tell = options.onEvent ? jsonEvents(options.onEvent) : shownEvents(options);
  const reply = await conversation.say(prompt, { signal, ask, tell });
  if (options.onEvent) options.onEvent({ type: 'reply', ...reply });
  else tell({ type: 'step-end', usage: reply.usage });
  return reply;
}

/** Errors have no JSON of their own. */
function jsonEvents(onEvent: (event: object) => void): (event: ChatEvent) => void {
  return event => {
    if (event.type !== 'servers-missing') return onEvent(event);
    const failures = event.failures.map(({ server, error: { code, message, why, hint } }) => ({
      server,
      error: { code, message, ...(why ? { why } : {}), ...(hint ? { hint } : {}) },
    }));
    onEvent({ type: event.type, failures });
  };
}

function shownEvents({ agent, write, talk }: OneShot): (event: ChatEvent) => void {
  const mask = new WordMask(text => text);
  const lines = new EventLines(text => agent.host.mask(text));
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
