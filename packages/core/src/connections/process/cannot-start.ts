/** Why a program could not be started, in words that name what is wrong and how to mend it. */
import { JunctorError } from '../../base/error.ts';
import type { CommandLookup, Program } from './find-command.ts';

type Failed = Exclude<CommandLookup, { kind: 'found' }>;

export function cannotStart(server: string, { command }: Program, lookup: Failed): JunctorError {
  const { sentence, why, hint } = words(server, command, lookup);
  const code = lookup.kind.startsWith('cwd_') ? 'folder_not_found' : 'command_not_found';
  return new JunctorError(code, sentence, { server, why, hint });
}

/** The program is there, and the system would not start it. */
export function startRefused(server: string, file: string, error: NodeJS.ErrnoException): JunctorError {
  // The file was found a moment ago: what is missing is the interpreter that its first line names.
  const noInterpreter = error.code === 'ENOENT';
  return new JunctorError(
    noInterpreter ? 'command_not_found' : 'connection_failed',
    `Server '${server}' could not be started.`,
    {
      server,
      why: noInterpreter ? `${file} is there, but what its first line names to run it is not` : error.message,
      hint: noInterpreter
        ? `look at the first line of ${file}`
        : (HINTS[error.code ?? ''] ?? 'start its command by hand to see what is wrong'),
      cause: error,
    },
  );
}

const MANY_FILES = 'too many files and connections are open: close some, or raise the limit (ulimit -n)';

/** What the system lacks, whatever the program. */
const HINTS: Readonly<Record<string, string>> = {
  EMFILE: MANY_FILES,
  ENFILE: MANY_FILES,
  EAGAIN: 'too many processes run: end some, or raise the limit (ulimit -u)',
};

export function cannotQuote(server: string, file: string): JunctorError {
  return new JunctorError('config_invalid', `An argument of server '${server}' holds a line break.`, {
    server,
    why: `${file} is a batch file, and Windows passes no line breaks to those`,
    hint: 'take the line break out of args',
  });
}

function words(server: string, command: string, lookup: Failed): { sentence: string; why: string; hint: string } {
  const program = `The program '${command}' of server '${server}'`;
  switch (lookup.kind) {
    case 'cwd_missing':
      return {
        sentence: `The folder that server '${server}' starts in does not exist.`,
        why: `there is no ${lookup.cwd}`,
        hint: 'create it, or correct cwd of this server',
      };
    case 'cwd_not_directory':
      return {
        sentence: `Server '${server}' cannot start in a file.`,
        why: `${lookup.cwd} is not a folder`,
        hint: 'correct cwd of this server',
      };
    case 'directory':
      return {
        sentence: `${program} is a directory.`,
        why: lookup.file,
        hint: 'name a program inside it as command',
      };
    case 'not_executable':
      return {
        sentence: `${program} is not executable.`,
        why: `${lookup.file} is there, but nobody may run it`,
        hint: `chmod +x ${lookup.file}, or make its interpreter the command and the file its first argument`,
      };
    case 'missing':
      return { sentence: `${program} was not found.`, ...whyMissing(command, lookup) };
  }
}

function whyMissing(command: string, { searched, near, beginsWithProgram }: Extract<Failed, { kind: 'missing' }>) {
  const ownFolder = /[\\/]/.test(command);
  const why = ownFolder ? `there is no file ${searched[0]}` : `it is not on PATH: ${shortened(searched)}`;
  if (command.startsWith('~')) {
    return {
      why: `no shell reads the command, so '~' stays as it is: ${why}`,
      hint: 'write ${HOME} in the place of ~',
    };
  }
  // A path may hold spaces; a bare name rarely does.
  if (beginsWithProgram || (!ownFolder && /\s/.test(command.trim()))) {
    return {
      why: `a command is the name of one program, without its arguments: ${why}`,
      hint: `split it: ${splitUp(command)}`,
    };
  }
  const otherwise = ownFolder ? 'check the path' : 'install it, or give its full path as command';
  return { why, hint: near === undefined ? otherwise : `did you mean '${near}'? Otherwise ${otherwise}` };
}

const FOLDERS_SHOWN = 4;

function shortened(folders: readonly string[]): string {
  if (folders.length === 0) return 'PATH is empty';
  const more = folders.length - FOLDERS_SHOWN;
  return `${folders.slice(0, FOLDERS_SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Later words may hold anything, a password too: the first two are enough to show how. */
const WORDS_SHOWN = 2;

function splitUp(command: string): string {
  const [program = '', ...args] = [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
  const shown = args.slice(0, WORDS_SHOWN).map(word => JSON.stringify(word));
  const list = [...shown, ...(args.length > WORDS_SHOWN ? ['…'] : [])].join(', ');
  return `"command": ${JSON.stringify(program)}, "args": [${list}]`;
}
