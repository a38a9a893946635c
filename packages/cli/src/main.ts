/** The way of every command: find it, parse it, run it, turn what comes back into an exit code. */
import { JunctorError, Log, nearest, ownSurroundings, Redactor, VERSION } from '@junctor/core/light';
import type { CommandRow } from './command.ts';
import { COMMANDS } from './commands/table.ts';
import type { Context } from './context.ts';
import { commandHelp, generalHelp } from './output/help.ts';
import { describeFailure, exitCodeOf, failureDocument } from './output/problem.ts';
import { steerless, steerlessJson } from './output/steerless.ts';
import { findCommand, type Parsed, parse } from './parse.ts';

export async function main(argv: readonly string[]): Promise<void> {
  const redactor = new Redactor();
  try {
    process.exitCode = await runLine(argv, redactor);
  } catch (error) {
    // A line that cannot be parsed still says whether a program is reading.
    if (argv.includes('--json')) printJson(redactor.mask(JSON.stringify(failureDocument(error), null, 2)));
    else print(process.stderr, redactor.mask(describeFailure(error, argv.includes('--debug'))));
    process.exitCode = exitCodeOf(error);
  }
}

async function runLine(argv: readonly string[], redactor: Redactor): Promise<number> {
  const row = findCommand(argv, COMMANDS);
  if (!row) return withoutCommand(argv);
  const command = await row.load();
  const parsed = parse(argv, row, command);
  if (parsed.global.help) {
    print(process.stdout, commandHelp(row, command));
    return 0;
  }
  if (parsed.global['validate-config']) return validateInstead(parsed, redactor);
  const interrupt = new AbortController();
  const onSignal = (): void => {
    // The second time means it: whatever still waits is left to the guard.
    if (interrupt.signal.aborted) process.exit(130);
    interrupt.abort(new JunctorError('cancelled', 'Interrupted.'));
  };
  const signals = command.ownSignals ? [] : SIGNALS;
  for (const signal of signals) process.on(signal, onSignal);
  try {
    return (await command.run(contextOf(parsed, redactor, interrupt.signal), parsed)) ?? 0;
  } catch (error) {
    // What fails because the person stopped it did not fail for another reason.
    throw interrupt.signal.aborted ? interrupt.signal.reason : error;
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
  }
}

async function validateInstead(parsed: Parsed, redactor: Redactor): Promise<number> {
  const { validateLayers } = await import('./commands/validate.ts');
  return validateLayers(contextOf(parsed, redactor, new AbortController().signal));
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function withoutCommand(argv: readonly string[]): number {
  const words = argv.filter(word => !word.startsWith('-'));
  if (argv.includes('--version')) print(process.stdout, VERSION);
  else if (words.length === 0 || argv.includes('--help')) print(process.stdout, generalHelp(groupOf(words)));
  else throw unknownCommand(words);
  return words.length === 0 || argv.includes('--help') ? 0 : 2;
}

/** The commands that begin with these words; all where none does. */
function groupOf(words: readonly string[]): readonly CommandRow[] {
  const group = COMMANDS.filter(command => words.every((word, index) => command.words[index] === word));
  return group.length > 0 ? group : COMMANDS;
}

function unknownCommand(words: readonly string[]): JunctorError {
  const asked = words.slice(0, 2).join(' ');
  const names = COMMANDS.map(command => command.words.join(' '));
  const near = nearest(asked, names) ?? nearest(words[0] as string, names);
  const inGroup = names.filter(name => name.startsWith(`${words[0]} `));
  const hint =
    inGroup.length > 0 ? `one of: ${inGroup.join(', ')}` : near ? `did you mean '${near}'?` : 'junctor --help';
  return new JunctorError('usage', `There is no command '${asked}'.`, { hint });
}

function contextOf({ global }: Parsed, redactor: Redactor, signal: AbortSignal): Context {
  const talk = (line: string): void => print(process.stderr, redactor.mask(line));
  const surroundings = ownSurroundings();
  const debug = global.debug || DEBUG_VARIABLES.some(name => surroundings.env[name] === '1');
  return {
    global,
    surroundings,
    signal,
    redactor,
    // What goes wrong with a server the commands tell themselves.
    log: new Log({ level: debug ? 'debug' : 'error', fixed: debug, write: talk, redactor }),
    interactive: process.stdin.isTTY === true && process.stderr.isTTY === true && !global.json,
    answer: ({ json, text }) => {
      if (global.json) printJson(redactor.maskKnown(JSON.stringify(json, null, 2)));
      else print(process.stdout, redactor.maskKnown(text));
    },
    talk,
  };
}

/** Ours, and that of code_agent. */
const DEBUG_VARIABLES = ['JUNCTOR_MCP_DEBUG', 'CODE_AGENT_MCP_DEBUG'];

/** An answer that goes to a program goes there byte for byte. */
function print(stream: NodeJS.WriteStream, text: string): void {
  const shown = stream.isTTY || stream === process.stderr ? steerless(text) : text;
  stream.write(shown.endsWith('\n') ? shown : `${shown}\n`);
}

function printJson(text: string): void {
  process.stdout.write(`${process.stdout.isTTY ? steerlessJson(text) : text}\n`);
}
