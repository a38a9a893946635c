/**
 * Options with which a common program starts any other. A rule such as `shell(command=git *)` means the program, not
 * whatever its options can start. The list cannot be complete: see docs/threat-model.md.
 */

interface Starters {
  /** Long options, without their dashes. A program takes any beginning of one that is clear. */
  readonly long: readonly string[];
  /** Options that begin like this, with their dash. */
  readonly short: readonly string[];
  /** Words that are no options: commands of the program. */
  readonly words?: readonly string[];
}

const REMOTE_SHELL: Starters = { long: ['rsh', 'rsync-path', 'config'], short: ['-e', '-o', '-F', '-S', '-D'] };

const STARTERS: Readonly<Record<string, Starters>> = {
  git: {
    long: [
      ...[
        'config-env',
        'exec-path',
        'exec',
        'upload-pack',
        'receive-pack',
        'open-files-in-pager',
        'extcmd',
        'ext-diff',
      ],
      ...['textconv', 'template', 'git-dir', 'work-tree', 'tool', 'gui', 'smtp-server'],
    ],
    short: ['-c', '-C', '-x', '-O'],
    words: [
      ...['config', 'run', 'foreach', 'filter-branch', 'difftool', 'mergetool', 'send-email', 'daemon', 'instaweb'],
      ...['web--browse', 'hook', 'shell', 'upload-pack', 'receive-pack', 'credential', 'fsmonitor--daemon', 'clone'],
    ],
  },
  find: { long: [], short: ['-exec', '-ok', '-fprint', '-fls'] },
  fd: { long: ['exec', 'exec-batch'], short: ['-x', '-X'] },
  rg: { long: ['pre', 'hostname-bin', 'search-zip'], short: ['-z'] },
  tar: {
    long: [
      'to-command',
      'checkpoint-action',
      'use-compress-program',
      'info-script',
      'new-volume-script',
      'rsh-command',
    ],
    short: ['-I', '-F'],
  },
  sort: { long: ['compress-program'], short: [] },
  rsync: REMOTE_SHELL,
  ssh: REMOTE_SHELL,
  scp: REMOTE_SHELL,
  sftp: REMOTE_SHELL,
};

/** Whether this line, which runs one program, can start another through it. */
export function startsOthers(command: string): boolean {
  // A shell takes quotes out of the middle of a word, too.
  const [program = '', ...words] = command.replaceAll(/["']/g, '').trim().split(/\s+/);
  const starters =
    STARTERS[
      program
        .split('/')
        .at(-1)
        ?.replace(/\.exe$/i, '') ?? ''
    ];
  if (!starters) return false;
  return words.some(word => word.includes('!') || word.includes('::') || startsBy(starters, word));
}

function startsBy({ long, short, words = [] }: Starters, word: string): boolean {
  const [name = ''] = word.split('=', 1);
  if (name.startsWith('--')) return name.length > 2 && long.some(option => option.startsWith(name.slice(2)));
  return words.includes(name) || short.some(option => name.startsWith(option));
}
