/** The way of every command: find it, parse it, run it, turn what comes back into an exit code. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  isJunctorError,
  JunctorError,
  Log,
  nearest,
  Redactor,
  type Surroundings,
  upwards,
  VERSION,
} from '@junctor/core/light';
import { type CommandRow, GLOBAL_OPTIONS } from './command.ts';
import { COMMANDS } from './commands/table.ts';
import type { Context } from './context.ts';
import { commandHelp, generalHelp } from './output/help.ts';
import { describeFailure, exitCodeOf, failureDocument } from './output/problem.ts';
import { TypedCommands } from './output/typed-commands.ts';
import { tellOverruled } from './overruled.ts';
import { findCommand, leadingWords, type Parsed, parse } from './parse.ts';

/** Where a command was typed, and who hears what it says. */
export interface Stand {
  readonly surroundings: Surroundings;
  readonly voice: Voice;
  /** A person sits there and can be asked. */
  readonly attended: boolean;
  /** Set where a hub runs it: what gives it up in place of the signals of this process. */
  readonly errand?: AbortSignal;
  /** How wide the terminal is that shows the answer; undefined where none does. */
  readonly columns?: number | undefined;
  /** Aborted once nobody reads what is printed: a command that would go on printing ends. */
  readonly unread?: AbortSignal;
}

export interface Voice {
  /** What was asked for, as text. */
  answer(text: string): void;
  /** The same as one JSON document. */
  document(json: string): void;
  /** Whatever else is to be known. */
  talk(text: string): void;
}

/** A hub was asked to run what has to be run where it was typed. Nothing was done for it. */
export class RunElsewhere extends Error {}

export async function runLine(given: readonly string[], stand: Stand): Promise<number> {
  const argv = spelledOut(given);
  const redactor = new Redactor();
  const commands = new TypedCommands({ rows: COMMANDS, surroundings: () => stand.surroundings });
  try {
    return await runCommand(argv, stand, { redactor, commands });
  } catch (error) {
    if (error instanceof RunElsewhere) throw error;
    if (stand.unread?.aborted && isJunctorError(error, 'cancelled')) return 0;
    // A line that cannot be parsed still says whether a program is reading.
    if (argv.includes('--json')) {
      const indentation = findCommand(argv, COMMANDS)?.jsonLines ? 0 : 2;
      stand.voice.document(redactor.mask(JSON.stringify(failureDocument(error, commands), null, indentation)));
    } else stand.voice.talk(redactor.mask(describeFailure(error, argv.includes('--debug'), commands)));
    return exitCodeOf(error);
  }
}

/** `help`, `-h`, `version` and `-v`, as many programs have them; and `--validate-config` alone is a command. */
function spelledOut(argv: readonly string[]): readonly string[] {
  const [first] = argv;
  if (argv.length === 1 && ['version', '-v', '-V'].includes(first as string)) return ['--version'];
  // A server may have this very name: it is the word for help only where it is no other.
  const at = findCommand(argv, COMMANDS) ? -1 : argv.slice(0, 2).indexOf('help');
  if (at >= 0) return [...argv.toSpliced(at, 1), '--help'];
  // No command has a dot or a slash in its name; a file nearly always has.
  if (leadingWords(argv).every(word => /[./\\]/.test(word)) && argv.includes('--validate-config'))
    return ['validate', ...argv.filter(word => word !== '--validate-config')];
  // A command knows its own options: there `-h` may be the value of one.
  return findCommand(argv, COMMANDS) ? argv : argv.map(word => (word === '-h' ? '--help' : word));
}

/** What is written of one command: secrets are masked, and other commands are as they are typed here. */
interface Written {
  readonly redactor: Redactor;
  readonly commands: TypedCommands;
}

async function runCommand(argv: readonly string[], stand: Stand, written: Written): Promise<number> {
  const row = findCommand(argv, COMMANDS);
  if (!row) return withoutCommand(argv, stand);
  const command = await row.load();
  const given = parse(argv, row, command);
  if (given.global.help) {
    const related = groupOf(row.words).filter(other => other !== row);
    answerPlainly(argv, stand, 'help', commandHelp(row, command, related, stand.columns));
    return 0;
  }
  written.commands.options = given.global;
  const parsed = await meantHub(given, row, () => stand.surroundings);
  written.commands.options = parsed.global;
  if (parsed.global['validate-config']) return validateInstead(parsed, stand, written);
  const interrupt = new AbortController();
  const onSignal = (): void => {
    // The second time means it: whatever still waits is left to the guard.
    if (interrupt.signal.aborted) process.exit(130);
    interrupt.abort(new JunctorError('cancelled', 'Interrupted.'));
  };
  stand.unread?.addEventListener('abort', () =>
    interrupt.abort(new JunctorError('cancelled', 'Nobody reads any more.')),
  );
  const signals = command.ownSignals || stand.errand ? [] : SIGNALS;
  for (const signal of signals) process.on(signal, onSignal);
  const context = contextOf(parsed, stand, written, stand.errand ?? interrupt.signal);
  try {
    const { config } = parsed.global;
    if (config !== undefined && !stand.errand) await tellOverruled(context, config);
    const done = stand.errand ? undefined : await command.atHub?.(argv, context, parsed);
    for (const [how, text] of done?.said ?? []) stand.voice[how](text);
    return done ? done.code : ((await command.run(context, parsed)) ?? 0);
  } catch (error) {
    // What fails because the person stopped it did not fail for another reason.
    throw interrupt.signal.aborted ? interrupt.signal.reason : error;
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
  }
}

async function validateInstead(parsed: Parsed, stand: Stand, written: Written): Promise<number> {
  const { validateLayers } = await import('./commands/validate.ts');
  return validateLayers(contextOf(parsed, stand, written, new AbortController().signal));
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function withoutCommand(argv: readonly string[], stand: Stand): number {
  const words = leadingWords(argv);
  const unknown = words.length === 0 ? argv.find(word => word.startsWith('-') && !isGlobalOption(word)) : undefined;
  if (argv.includes('--version')) answerPlainly(argv, stand, 'version', VERSION);
  else if (unknown !== undefined && !argv.includes('--help'))
    throw new JunctorError('usage', `There is no option ${unknown}.`, { hint: 'junctor --help' });
  else if (words.length === 0 || argv.includes('--help'))
    answerPlainly(argv, stand, 'help', generalHelp(groupOf(words), stand.columns));
  else
    throw unknownCommand(
      words,
      COMMANDS.map(command => command.words.join(' ')),
    );
  return words.length === 0 || argv.includes('--help') ? 0 : 2;
}

function isGlobalOption(word: string): boolean {
  const [name = ''] = word.replace(/^--?/, '').split('=');
  return Object.hasOwn(GLOBAL_OPTIONS, name) || name === 'mcp-config';
}

/** What needs no command to be known. */
function answerPlainly(argv: readonly string[], { voice }: Stand, what: 'help' | 'version', text: string): void {
  if (argv.includes('--json')) voice.document(JSON.stringify({ [what]: text }, null, 2));
  else voice.answer(text);
}

/** The commands that begin with these words; all where none does. */
function groupOf(words: readonly string[]): readonly CommandRow[] {
  const group = COMMANDS.filter(command => words.every((word, index) => command.words[index] === word));
  return group.length > 0 ? group : COMMANDS;
}

function contextOf({ global }: Parsed, stand: Stand, { redactor, commands }: Written, signal: AbortSignal): Context {
  const { surroundings, voice, attended, errand } = stand;
  const talk = (line: string): void => voice.talk(redactor.mask(commands.inText(line)));
  const debug = global.debug || DEBUG_VARIABLES.some(name => surroundings.env[name] === '1');
  return {
    global,
    surroundings,
    signal,
    redactor,
    commands,
    // What goes wrong with a server the commands tell themselves.
    log: new Log({ level: debug ? 'debug' : 'error', fixed: debug, write: talk, redactor }),
    interactive: attended && !global.json,
    columns: stand.columns,
    errand: errand !== undefined,
    answer: ({ json, text }) => {
      // Whoever stops a command must not read what it made of the servers that it had to end.
      signal.throwIfAborted();
      if (global.json) voice.document(redactor.maskKnown(JSON.stringify(json, null, 2)));
      else voice.answer(redactor.maskKnown(text));
    },
    talk,
  };
}

/** Ours, and that of code_agent. */
const DEBUG_VARIABLES = ['JUNCTOR_MCP_DEBUG', 'CODE_AGENT_MCP_DEBUG'];

// Which data directory a command means that names none: that of the nearest hub upward, as `npm start` leaves one in its folder.

/** Where a hub keeps its data that belongs to one folder. */
const IN_FOLDER = '.junctor';

/** The same with the data directory of that hub; as it is where another one is named, or none runs. */
async function meantHub(parsed: Parsed, { words }: CommandRow, surroundings: () => Surroundings): Promise<Parsed> {
  const { global } = parsed;
  // The command that starts a hub means no other one.
  if (global.data !== undefined || words.join(' ') === 'hub') return parsed;
  const { env, cwd } = surroundings();
  const data = env.JUNCTOR_DATA ? undefined : await nearestHub(cwd);
  return data === undefined ? parsed : { ...parsed, global: { ...global, data } };
}

async function nearestHub(cwd: string): Promise<string | undefined> {
  for (const folder of upwards(cwd)) {
    const data = join(folder, IN_FOLDER);
    if (!existsSync(join(data, 'hub.json'))) continue;
    const { findHubBeside } = await import('@junctor/hub/errand');
    if (await findHubBeside(data)) return data;
  }
  return undefined;
}

// A command that is not there: it is told with the one that was probably meant.

/** What other programs call these verbs. */
const OURS: ReadonlyMap<string, string> = new Map([
  ...['rm', 'delete', 'uninstall'].map(verb => [verb, 'remove'] as const),
  ...['show', 'info', 'describe'].map(verb => [verb, 'get'] as const),
  ['ls', 'list'],
  ['install', 'add'],
  ['sync', 'export'],
  ['start', 'hub'],
  ['serve', 'hub'],
]);

/** `names`: those of all commands, such as `mcp add`, in the order help shows them. */
function unknownCommand(words: readonly string[], names: readonly string[]): JunctorError {
  const [first = '', ...rest] = words.slice(0, 2).map(word => OURS.get(word) ?? word);
  const meant = [first, ...rest].join(' ');
  const near = [meant, first].find(name => names.includes(name)) ?? verbAlone(first, names) ?? nearest(meant, names);
  const close = near ?? nearest(first, names) ?? verbAlone(nearest(first, names.map(verbOf)), names);
  const inGroup = names.filter(name => name.startsWith(`${first} `));
  const group = inGroup.length > 0 && `one of: ${inGroup.join(', ')}`;
  const hint = close ? `did you mean '${close}'?` : group || 'junctor --help';
  return new JunctorError('usage', `There is no command '${words.slice(0, 2).join(' ')}'.`, { hint });
}

/** `list` for `mcp list`: the first noun of the table that has it is the likeliest. */
function verbAlone(verb: string | undefined, names: readonly string[]): string | undefined {
  return verb === undefined ? undefined : names.find(name => name.includes(' ') && verbOf(name) === verb);
}

function verbOf(name: string): string {
  return name.split(' ').at(-1) as string;
}
