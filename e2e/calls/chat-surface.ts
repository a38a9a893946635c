/** `junctor chat` as a surface: a scripted model calls what the table wants called. */
import { join } from 'node:path';
import type { ToolRef } from '@junctor/core';
import type { Home } from '@junctor/testkit';
import { type ScriptedModel, startModel } from '@junctor/testkit/model';
import { CTRL_C, openTerminal, type TestTerminal } from '@junctor/testkit/terminal';
import { KEYS, type Shown, unaudited } from './command-surfaces.ts';
import { type CallOptions, type Observed, type Surface, withoutCode } from './surfaces.ts';

/** `junctor chat` at a terminal, with a model that calls what the table wants called. */
export class ChatSurface implements Surface, AsyncDisposable {
  readonly name = 'chat';
  readonly asksInbox = false;
  readonly #home: Home;
  readonly #config: string;
  #open: Promise<{ model: ScriptedModel; terminal: TestTerminal }> | undefined;
  #turn = 0;

  constructor(home: Home, config: string) {
    this.#home = home;
    this.#config = config;
  }

  async revokeAll(): Promise<void> {}

  async call({ server, tool }: ToolRef, args: object, options: CallOptions = {}): Promise<Observed> {
    this.#open ??= this.#start();
    const { model, terminal } = await this.#open;
    const done = `done-${++this.#turn}`;
    const before = model.requests.length;
    model.say({ calls: [{ name: `mcp__${server}__${tool}`, args: args as Record<string, unknown> }] }, { text: done });
    options.signal?.addEventListener('abort', () => terminal.type(CTRL_C));
    const over = `${done}\\n[\\s\\S]*›$|\\(interrupted\\)[\\s\\S]*›$`;
    const shown = await terminal.enter(`call ${this.#turn}`, new RegExp(`allow it\\?[^\\n]*$|${over}`));
    if (/allow it\?[^\n]*$/.test(shown)) {
      terminal.type(`${KEYS[options.answer ?? 'deny']}\r`);
      await terminal.shows(new RegExp(over));
    }
    // The run was given up: the model is asked no more, and what is left of the script is taken back.
    if (model.requests.length === before + 1) {
      await terminal.enter('go on', new RegExp(`${done}\\n[\\s\\S]*›$`));
      return unaudited({ code: 'cancelled', sentence: null });
    }
    return unaudited(toldToModel(model));
  }

  /** A running call shows its progress. */
  async reached({ server, tool }: ToolRef): Promise<unknown> {
    return (await this.#open)?.terminal.shows(new RegExp(`⋯ ${server} ${tool}`));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#open) return;
    const { model, terminal } = await this.#open;
    await terminal[Symbol.asyncDispose]();
    await model.close();
  }

  get #data(): string {
    return join(this.#home.path, 'chat');
  }

  async #start(): Promise<{ model: ScriptedModel; terminal: TestTerminal }> {
    const model = await startModel();
    const words = ['chat', '--base-url', model.url, '--model', 'scripted'];
    const terminal = openTerminal(this.#home, [
      ...words,
      ...['--config', this.#config, '--isolated', '--data', this.#data],
    ]);
    await terminal.shows(/\n›$/);
    return { model, terminal };
  }
}

/** What the last request tells the model of its call. */
function toldToModel(model: ScriptedModel): Shown {
  const messages = model.requests.at(-1)?.body.messages as readonly { role: string; content: unknown }[];
  const last = messages.findLast(({ role }) => role === 'tool')?.content;
  const told = typeof last === 'string' ? last : JSON.stringify(last);
  const code = /\(([a-z]+_[a-z_]+|timeout)\)/.exec(told)?.[1];
  if (code !== undefined) return { code, sentence: withoutCode(told) };
  // The AI SDK names an error as such; why and what to do follow in lines of their own.
  const failure = /^Error: (.*)/.exec(told)?.[1];
  return { code: null, sentence: failure ?? null };
}
