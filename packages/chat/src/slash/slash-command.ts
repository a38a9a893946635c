/** A line that begins with a slash: for the program, not for the model. It answers at once, also while a run goes on. */
import type { Host } from '@junctor/core';
import type { Agent, Conversation } from '../conversation.ts';

export interface SlashContext {
  readonly agent: Agent;
  readonly host: Host;
  conversation(): Conversation;
  say(text: string): void;
  /** Begins a new conversation. */
  startOver(): void;
  leave(): void;
  /** Signs in to a server; the person is asked at the terminal. */
  signIn(server: string): Promise<void>;
  /** Writes into the config that a server is on or off. */
  switchServer(server: string, enabled: boolean): Promise<void>;
}

export interface SlashCommand {
  /** Without the slash; two words for a command of a group. */
  readonly name: string;
  /** What stands behind it, as help shows it. */
  readonly usage?: string;
  readonly summary: string;
  /** Whether its first word is the id of a server: then it must be there. */
  readonly takesServer?: boolean;
  run(words: readonly string[], context: SlashContext): Promise<void> | void;
}
