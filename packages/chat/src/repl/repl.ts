/** Talking: a line is a command, a prompt of a server, or a question for the model. Commands are answered while a run goes on. */
import { isJunctorError, type Redactor } from '@junctor/core/light';
import { configNotes, newNotes, serversLine } from '../config-notes.ts';
import { Conversation } from '../conversation.ts';
import type { OpenAgent } from '../open-agent.ts';
import type { SavedSession } from '../sessions.ts';
import { runSlash } from '../slash/commands.ts';
import { followReload, newlyWaiting, waitingOf } from '../slash/mcp/config.ts';
import type { SlashContext } from '../slash/slash-command.ts';
import { askAtDesk } from './ask-permission.ts';
import { complete } from './complete.ts';
import { Desk, type DeskOptions } from './desk.ts';
import type { History } from './history.ts';
import { promptNamed, promptText, resourceTexts } from './references.ts';
import { RunView } from './run-view.ts';

export interface ReplOptions extends Pick<DeskOptions, 'input' | 'output'> {
  readonly agent: OpenAgent;
  readonly session: SavedSession;
  readonly history: History;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
  /** No question is asked: every call runs. */
  readonly yes: boolean;
  /** Both read the terminal themselves. */
  signIn(server: string): Promise<void>;
  switchServer(server: string, enabled: boolean): Promise<void>;
  describe(error: unknown): string;
  /** Is told how to borrow the terminal, for what reads it itself, how to stop the run from there, and how to say something. */
  onDesk(desk: { readonly lend: Desk['lend']; interrupt(): void; say(text: string): void }): void;
}

/** Ends when the person leaves. Its value is the exit code. */
export async function repl(options: ReplOptions): Promise<number> {
  const talk = new Repl(options, await options.history.read());
  return talk.finished;
}

class Repl {
  readonly #options: ReplOptions;
  readonly #desk: Desk;
  readonly #slash: SlashContext;
  readonly #waiting: string[] = [];
  #conversation: Conversation;
  #running: AbortController | undefined;
  #interrupted = false;
  readonly finished: Promise<number>;
  #finish: (code: number) => void = () => {};
  #watch: Disposable | undefined;

  constructor(options: ReplOptions, history: readonly string[]) {
    const { agent } = options;
    this.#options = options;
    this.#conversation = new Conversation(agent, options.session);
    this.#desk = new Desk({
      input: options.input,
      output: options.output,
      history,
      onLine: line => void this.#take(line),
      onInterrupt: () => this.#interrupt(),
      onLeave: () => void this.#leave(0),
      complete: text => complete(text, agent.host),
    });
    this.#slash = this.#slashContext();
    this.finished = new Promise(resolve => {
      this.#finish = resolve;
    });
    options.signal.addEventListener('abort', () => void this.#leave(130), { once: true });
    options.onDesk({
      lend: work => this.#desk.lend(work),
      interrupt: () => this.#interrupt(),
      say: text => this.#desk.say(text),
    });
    // Before the first line is shown: a file that is saved after it must count.
    this.#followConfig();
    this.#greet();
  }

  #greet(): void {
    const { agent, session } = this.#options;
    const { host } = agent;
    this.#desk.say(`junctor chat, ${agent.modelName}. ${serversLine(host)}. /help shows what you can do.`);
    for (const note of configNotes(host)) this.#desk.say(note);
    if (session.messages.length > 0) this.#desk.say(`going on with: ${session.title}`);
    // Said once, as soon as it is known, and not only with the first question. A server that worked since may fail anew.
    const said = new Map<string, string>();
    host.events.on('state-changed', ({ server, state }) => {
      if (state.kind === 'ready') said.delete(server);
      if (state.kind !== 'error' && state.kind !== 'auth_required') return;
      const { message } = state.lastError;
      if (said.get(server) === message) return;
      said.set(server, message);
      const step = state.kind === 'auth_required' ? ` To sign in: /mcp auth ${server}` : '';
      this.#desk.say(host.mask(`warning: MCP server '${server}' unavailable: ${message}${step}`));
      if (state.kind === 'auth_required') void this.#offerSignIn(server);
    });
  }

  /** Only where the person is free to answer. What is neither yes nor no is what they wanted to say anyway. */
  async #offerSignIn(server: string): Promise<void> {
    if (this.#running || !this.#desk.isFree) return;
    const answer = await this.#desk.ask(`sign in to '${server}' now? [y/N] `);
    if (answer === undefined || /^(n|no)?$/i.test(answer)) return;
    if (/^(y|yes)$/i.test(answer)) return this.#command(`/mcp auth ${server}`);
    this.#desk.say(`› ${answer}`);
    await this.#take(answer);
  }

  /** A changed file counts at once, as at the hub. */
  #followConfig(): void {
    const { agent } = this.#options;
    const { host } = agent;
    let notes = configNotes(host);
    let waiting = waitingOf(host);
    // Saving is several events, and each is a look at the same mistake.
    let complaint = '';
    this.#watch = agent.follow({
      onRead: changes => {
        const news = [...followReload(host, agent, changes), ...newlyWaiting(host, waiting)];
        const fresh = newNotes(notes, host);
        [notes, waiting, complaint] = [configNotes(host), waitingOf(host), ''];
        if (news.length > 0) this.#desk.say(`the config changed: ${news.join('; ')}`);
        for (const note of fresh) this.#desk.say(note);
      },
      onProblem: error => {
        const told = `${error.message}\n${error.why}`;
        if (told !== complaint) this.#complain(error);
        complaint = told;
      },
    });
  }

  async #take(line: string): Promise<void> {
    this.#interrupted = false;
    void this.#options.history.add(line).catch(() => {});
    if (line.startsWith('/') && !promptNamed(line, this.#options.agent.host)) return this.#command(line);
    if (this.#running) {
      this.#waiting.push(line);
      return this.#desk.say('(comes next)');
    }
    for (let next: string | undefined = line; next !== undefined; next = this.#waiting.shift())
      await this.#answer(next);
  }

  async #command(line: string): Promise<void> {
    try {
      await runSlash(line, this.#slash);
    } catch (error) {
      this.#complain(error);
    }
  }

  async #answer(line: string): Promise<void> {
    const { agent, yes } = this.#options;
    const running = new AbortController();
    const { signal } = running;
    this.#running = running;
    try {
      using view = new RunView(this.#desk.screen, agent.answers, agent.host);
      const named = promptNamed(line, agent.host);
      const prompt = named ? await promptText(agent.host, named, signal) : line;
      const attached = await resourceTexts(line, agent.host, signal);
      const ask = yes
        ? async () => true
        : askAtDesk(this.#desk, { mask: text => agent.host.mask(text), maskKnown: agent.maskKnown });
      const tell: typeof view.hear = event => {
        // The person was told when it happened.
        if (event.type !== 'servers-missing') view.hear(event);
      };
      const { ending } = await this.#conversation.say(prompt, { signal, tell, ask, attached });
      if (ending === 'steps') this.#desk.say('(stopped: the model asked for tools too often)');
    } catch (error) {
      if (!signal.aborted) this.#complain(error);
    } finally {
      this.#running = undefined;
      if (signal.aborted) this.#desk.say('(interrupted)');
    }
  }

  /** The first stops what runs, the second leaves. */
  #interrupt(): void {
    if (this.#interrupted) return void this.#leave(130);
    this.#interrupted = true;
    this.#waiting.length = 0;
    if (this.#running) this.#running.abort();
    else this.#desk.say('(Ctrl-C again or Ctrl-D leaves)');
  }

  async #leave(code: number): Promise<void> {
    this.#waiting.length = 0;
    this.#running?.abort();
    this.#watch?.[Symbol.dispose]();
    this.#desk[Symbol.dispose]();
    this.#finish(code);
  }

  #complain(error: unknown): void {
    this.#desk.say(this.#options.agent.host.mask(this.#options.describe(error)));
    if (!isJunctorError(error)) this.#interrupted = false;
  }

  #slashContext(): SlashContext {
    const { agent, signIn, switchServer } = this.#options;
    return {
      agent,
      host: agent.host,
      conversation: () => this.#conversation,
      say: text => this.#desk.say(this.#options.redactor.maskKnown(text)),
      startOver: () => {
        const { cwd, modelName: model } = agent;
        this.#conversation = new Conversation(agent, agent.sessions.begin({ cwd, model }));
        this.#desk.say('a new conversation');
      },
      leave: () => void this.#leave(0),
      signIn,
      switchServer,
    };
  }
}
