/**
 * The command line for a Windows batch file, such as the `npx.cmd` that npm installs. Windows starts those only through
 * its command interpreter, which reads the whole line by rules of its own: every argument is quoted so that it arrives as
 * written and none of it is run. Pure.
 */
export interface Invocation {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are a command line already: nobody may quote them again. */
  readonly verbatim: boolean;
}

/** How a file that was found is started here. */
export function invocationOf(
  file: string,
  args: readonly string[],
  { platform, interpreter }: { platform: NodeJS.Platform; interpreter: string | undefined },
): Invocation {
  if (platform !== 'win32' || !/\.(bat|cmd)$/i.test(file)) return { file, args, verbatim: false };
  const line = [file, ...args].map(quoted).join(' ');
  // /d: no start-up commands. /e:on: the expansions that quoting relies on. /v:off: `!` stays text. /s: take off just the
  // outer quotes.
  return {
    file: interpreter ?? 'cmd.exe',
    args: ['/d', '/e:on', '/v:off', '/s', '/c', `"${line}"`],
    verbatim: true,
  };
}

/** An argument no quoting could carry: the interpreter would end the line there. */
export function unquotable(args: readonly string[]): string | undefined {
  return args.find(arg => /[\r\n\0]/.test(arg));
}

/** Always inside quotes, where `&`, `|`, `<`, `>` and `^` are text. */
function quoted(arg: string): string {
  const inside = arg
    // Backslashes count only before a quote: there, and at the end, they are doubled.
    .replace(/(\\*)"/g, '$1$1""')
    .replace(/(\\+)$/, '$1$1')
    // `%NAME%` would be filled in even inside quotes. An empty piece of a variable that always exists, put behind each
    // percent sign, keeps any two of them from naming one.
    .replaceAll('%', () => '%%cd:~,%');
  return `"${inside}"`;
}
