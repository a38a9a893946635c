/** One line for a shell on another machine: the variables, the folder, the watcher, and then the command in its place. */
import { JunctorError } from '../../base/error.ts';
import type { Program } from '../process/find-command.ts';
import { LAUNCH_VARIABLE } from '../process/process-table.ts';
import { marked, SIGNAL_MARKED } from './end-marked.ts';

/**
 * Once the process that holds the connection is gone, ends all that was started: the group, what left it and bears the mark,
 * and itself at last. It holds none of the pipes: the end of the server must be seen at the other end.
 */
function watcher(mark: string): string {
  const both = (signal: string): string =>
    `junctor_end ${signal} ${mark}; kill -s ${signal} $$; kill -s ${signal} -- -$$; `;
  const watch = `trap '' HUP TERM; while kill -0 $junctor_p; do sleep 1; done; ${both('TERM')}sleep 1; ${both('KILL')}`;
  const apart = `(${watch}) </dev/null >/dev/null 2>&1 &`;
  return `${SIGNAL_MARKED}junctor_p=$PPID; if kill -0 $junctor_p 2>/dev/null; then ${apart} fi; `;
}

/** Of a single line nothing but a variable can hold one. */
const LINE_BREAK = `junctor_n=$(printf '\\n.'); junctor_n=\${junctor_n%.}; `;

/** For the shell that reads it: `read` takes no byte more than the line. */
export const READ_AND_RUN = 'IFS= read -r line && eval "$line"';

/** How the shell over there ends: where our own line cannot go to the folder, and where it cannot run the command. */
export const EXIT = { noFolder: 120, couldNotRun: [126, 127] } as const;

export interface LineSettings {
  readonly cwd: string | undefined;
  /** Whether what bears the mark of its environment ends with the process that holds the connection. In a container nobody can see that one. */
  readonly watched: boolean;
}

export function startLine(server: string, { command, args, env }: Program, { cwd, watched }: LineSettings): string {
  for (const name of Object.keys(env)) if (!/^[A-Za-z_]\w*$/.test(name)) throw badName(server, name);
  const variables = Object.entries(env).map(([name, value]) => `export ${name}=${quoted(value)}; `);
  const folder = cwd === undefined ? '' : `cd -- ${quoted(cwd)} || exit ${EXIT.noFolder}; `;
  const run = `exec ${[command, ...args].map(quoted).join(' ')}`;
  const watch = watched ? watcher(marked(env[LAUNCH_VARIABLE] ?? '')) : '';
  return [LINE_BREAK, ...variables, folder, watch, run].join('');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`).replaceAll('\n', `'"$junctor_n"'`)}'`;
}

function badName(server: string, name: string): JunctorError {
  return new JunctorError(
    'config_invalid',
    `The variable '${name}' of server '${server}' cannot be set on another machine.`,
    {
      server,
      why: 'the shell there knows names of letters, digits and _ only',
      hint: `rename it in env of server '${server}'`,
    },
  );
}
