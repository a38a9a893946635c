import { addAbortSignal } from 'node:stream';
import { History, type OpenAgent, oneShot, openAgent, type ReplOptions, repl } from '@junctor/chat';
import type { Ask, Elicit } from '@junctor/core';
import { loadMcpConfig } from '@junctor/core/config-read';
import { TrustBook } from '@junctor/core/config-write';
import { cleanText, dataDirectory, JunctorError } from '@junctor/core/light';
import { type Command, defineCommand, GLOBAL_OPTIONS, type OptionSpecs } from '../../command.ts';
import { type Context, hostOptions, loadOptions } from '../../context.ts';
import { askPermission, askYesNo } from '../../output/ask.ts';
import { elicitWith } from '../../output/elicit.ts';
import { printJsonLine } from '../../output/json-line.ts';
import { logModelWarnings } from '../../output/model-warnings.ts';
import { describeFailure } from '../../output/problem.ts';
import { tellWaiting } from '../../output/still-waiting.ts';
import { parse } from '../../parse.ts';
import { mcpLogin } from '../mcp/login.ts';
import { mcpDisable, mcpEnable } from '../mcp/switch.ts';
import { waitingLines } from '../trust/consent-lines.ts';

/** A run in a script waits for its servers; nobody sits there who could ask again. */
const SCRIPT_PATIENCE_MS = 60_000;
/** A person can ask again. */
const PATIENCE_MS = 5000;

export const chat = defineCommand({
  options: {
    model: { value: 'PROVIDER/NAME', help: 'openai/…, anthropic/…, google/…, or any name with --base-url' },
    'base-url': { value: 'URL', help: 'where the model is: any server that speaks the OpenAI API' },
    p: { value: 'PROMPT', help: 'answer this and end' },
    resume: { value: 'ID', prompts: true, help: 'go on with a conversation (without ID: the last one of this folder)' },
    yes: { help: 'answer yes where permission would be asked' },
  },
  details: `The key of a provider is read from ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, else from the secret of the
same name; with --base-url from JUNCTOR_MODEL_KEY. JUNCTOR_MODEL and JUNCTOR_BASE_URL hold your choice.

  junctor chat --model anthropic/claude-sonnet-4-5
  junctor chat --base-url http://127.0.0.1:11434/v1 --model qwen3 -p "what is in this folder?"`,
  async run(context, { options }) {
    if (options.p === undefined && context.interactive && process.stdout.isTTY) return talk(context, options);
    const prompt = options.p ?? (await promptFromStdin(context));
    if (prompt.trim() === '') throw nothingToAnswer();
    return answerOnce(context, options, prompt);
  },
});

interface ChatOptions {
  readonly model: string | undefined;
  readonly 'base-url': string | undefined;
  readonly resume: string | undefined;
  readonly yes: boolean;
}

async function talk(context: Context, options: ChatOptions): Promise<number> {
  const { redactor, signal, surroundings, global } = context;
  await askForTrust(context);
  using terminal = new BorrowedTerminal(context);
  const elicit: Elicit = (...asked) => terminal.during(async lent => elicitWith(lent)(...asked));
  const log = context.log.to(line => terminal.tell(line));
  // Questions that come with no call: a server that wants to use the model.
  const ask: Ask = question => terminal.during(lent => askPermission(question, lent));
  await using agent = await open({ ...context, log }, options, PATIENCE_MS, { elicit, ask });
  const { sessions, cwd, modelName: model } = agent;
  // Awaited here: the agent ends when this function does.
  return await repl({
    agent,
    session: options.resume === undefined ? sessions.begin({ cwd, model }) : await sessions.find(options.resume, cwd),
    history: new History(dataDirectory(surroundings, global.data), text => redactor.maskKnown(text)),
    redactor,
    signal,
    yes: options.yes,
    input: process.stdin,
    output: process.stdout,
    signIn: server => terminal.during(lent => runInside(mcpLogin, lent, server)),
    switchServer: (server, enabled) =>
      terminal.during(lent => runInside(enabled ? mcpEnable : mcpDisable, lent, server)),
    describe: error => describeFailure(error, global.debug, context.commands),
    onDesk: desk => terminal.from(desk),
  });
}

async function answerOnce(context: Context, options: ChatOptions, prompt: string): Promise<number> {
  const atTerminal: Ask | undefined = context.interactive ? question => askPermission(question, context) : undefined;
  const person = { elicit: elicitWith(context), ask: atTerminal };
  await using agent = await open(context, options, SCRIPT_PATIENCE_MS, person);
  using _waiting = tellWaiting(context, agent.host, () => startingOf(agent));
  const reply = await oneShot({
    agent,
    prompt,
    resume: options.resume,
    signal: context.signal,
    ask: options.yes ? async () => true : atTerminal,
    write: text => process.stdout.write(context.redactor.maskKnown(text)),
    talk: context.talk,
    onEvent: context.global.json ? event => printJsonLine(context, event) : undefined,
  });
  return reply.ending === 'cancelled' ? 130 : 0;
}

/** The servers that a question waits for: those that were not tried yet. */
function startingOf({ host }: OpenAgent): string[] {
  return host.links.ids.filter(id => host.links.starting(id) !== undefined);
}

interface Person {
  readonly elicit: Elicit;
  readonly ask: Ask | undefined;
}

function open(context: Context, options: ChatOptions, patienceMs: number, { elicit, ask }: Person): Promise<OpenAgent> {
  const { surroundings, redactor, global } = context;
  logModelWarnings(context.log);
  // Nobody but the person here can answer, and whoever sits there may take their time.
  const approvals = { waitMs: Number.POSITIVE_INFINITY, attended: false };
  // Whoever interrupts ends the run first: servers hear of it before they are closed.
  const { signal: _, ...withoutSignal } = hostOptions(context);
  return openAgent({
    model: options.model,
    baseUrl: options['base-url'],
    hostOptions: { ...withoutSignal, elicit, approvals, ask: options.yes ? async () => true : ask },
    surroundings,
    redactor,
    data: global.data,
    patienceMs,
  });
}

async function promptFromStdin(context: Context): Promise<string> {
  let text = '';
  if (!context.interactive) {
    for await (const chunk of addAbortSignal(context.signal, process.stdin.setEncoding('utf8'))) text += chunk;
  }
  return text;
}

function nothingToAnswer(): JunctorError {
  return new JunctorError('usage', 'There is nothing to answer: no prompt, and no terminal to ask on.', {
    hint: 'junctor chat -p "your question"',
  });
}

/** A command of the command line, run while chat goes on: with its defaults, for one server. */
async function runInside(command: Command, context: Context, server: string): Promise<void> {
  const row = { words: [], positionals: ['ID'], summary: '', load: async () => command };
  const known: OptionSpecs = GLOBAL_OPTIONS;
  const given = Object.entries(context.global).flatMap(([name, value]): string[] => {
    if (value === true) return [`--${name}`];
    return typeof value === 'string' && known[name]?.value !== undefined ? [`--${name}`, value] : [];
  });
  await command.run(context, parse([...given, server], row, command));
}

/** A project that was cloned brings servers along. Before any of them starts, the person sees them and says yes or no. */
async function askForTrust(context: Context): Promise<void> {
  const { surroundings, global, signal } = context;
  const { servers, layers } = await loadMcpConfig(loadOptions(context));
  const book = new TrustBook(dataDirectory(surroundings, global.data), surroundings);
  const states = await book.states(servers.values());
  const waiting = [...servers.values()].filter(({ id }) => states.get(id) === 'waiting');
  const powers = (await book.powers(layers)).filter(({ approved }) => !approved);
  if (waiting.length === 0 && powers.length === 0) return;
  context.talk('This project brings along what you have not approved yet:');
  for (const line of waitingLines(waiting, powers)) context.talk(`  ${line}`);
  if (!(await askYesNo('Do you trust it? Its servers start programs on this machine.', signal))) {
    context.talk('not approved: it goes on without them. Later: junctor trust add --all');
    return;
  }
  await book.approve(waiting);
  await book.approvePowers(powers);
}

/**
 * Questions and commands that read the terminal themselves while chat goes on. Ctrl-C there ends what was asked and the run, not
 * the program.
 */
type Desk = Parameters<ReplOptions['onDesk']>[0];

class BorrowedTerminal implements Disposable {
  readonly #context: Context;
  readonly #before = process.listeners('SIGINT');
  #desk: Desk | undefined;
  #borrowed: AbortController | undefined;

  constructor(context: Context) {
    this.#context = context;
    process.removeAllListeners('SIGINT');
    process.on('SIGINT', this.#onInterrupt);
  }

  from(desk: Desk): void {
    this.#desk = desk;
  }

  /** A line of the log: above what the person types, which stays whole, unless somebody else has the terminal. */
  tell(line: string): void {
    if (this.#desk && !this.#borrowed && process.stderr.isTTY) this.#desk.say(cleanText(line));
    else this.#context.talk(line);
  }

  /** The work gets a context that ends with Ctrl-C. */
  async during<Answer>(work: (context: Context) => Promise<Answer>): Promise<Answer> {
    const lend: Desk['lend'] = this.#desk?.lend ?? (asked => asked());
    return lend(async () => {
      const borrowed = new AbortController();
      this.#borrowed = borrowed;
      try {
        return await work({ ...this.#context, signal: AbortSignal.any([this.#context.signal, borrowed.signal]) });
      } finally {
        this.#borrowed = undefined;
      }
    });
  }

  [Symbol.dispose](): void {
    process.off('SIGINT', this.#onInterrupt);
    for (const listener of this.#before) process.on('SIGINT', listener);
  }

  readonly #onInterrupt = (signal: NodeJS.Signals): void => {
    if (!this.#borrowed) return this.#before.forEach(listener => void listener(signal));
    this.#borrowed.abort();
    this.#desk?.interrupt();
  };
}
