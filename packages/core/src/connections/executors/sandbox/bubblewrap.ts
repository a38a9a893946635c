/** The sandbox of Linux: `bwrap` gives a program namespaces of its own, which end with it. Pure. */
import type { Folder } from './sandbox-view.ts';

export interface Confined {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly network: boolean;
  /** Variables that only the program inside may have. */
  readonly inside: Readonly<Record<string, string>>;
  /** The descriptor that its filter of system calls is read from. Undefined: there is none. */
  readonly filter: number | undefined;
  /** Processes at most, where `limiter` is there. 0: as many as you may have. */
  readonly pids: number;
  /** The program that sets limits. */
  readonly limiter: string | undefined;
}

/** Where the name servers of this machine stand, on systems that keep them in /run. */
const NAME_SERVERS = ['/run/systemd/resolve', '/run/resolvconf', '/run/NetworkManager/resolv.conf'];

const FLAGS = { hidden: '--tmpfs', readable: '--ro-bind', writable: '--bind' } as const;

export function bubblewrapArgs(confined: Confined, view: readonly Folder[]): string[] {
  const { cwd, network, inside, filter } = confined;
  return [
    // Process ids of its own: whatever it starts ends with it, however it was started.
    '--unshare-all',
    ...(network ? ['--share-net'] : []),
    '--die-with-parent',
    '--cap-drop',
    'ALL',
    ...(filter === undefined ? [] : ['--seccomp', String(filter)]),
    ...['--dev', '/dev', '--proc', '/proc'],
    // The root is an empty folder from the start.
    ...view.filter(({ path }) => path !== '/').flatMap(mounted),
    ...(network ? NAME_SERVERS.flatMap(path => ['--ro-bind-try', path, path]) : []),
    // Last: until then folders are made in it for what is shown.
    ...['--remount-ro', '/'],
    ...Object.entries({ ...inside, TMPDIR: '/tmp' }).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--chdir', cwd, '--', ...limited(confined)],
  ];
}

function mounted({ path, as, from = path }: Folder): string[] {
  return as === 'hidden' ? [FLAGS.hidden, path] : [FLAGS[as], from, path];
}

/** The namespace of users is its own, so processes of yours outside do not count for its limit. */
function limited({ file, args, pids, limiter }: Confined): string[] {
  if (limiter === undefined) return [file, ...args];
  return [limiter, '--core=0', ...(pids === 0 ? [] : [`--nproc=${pids}`]), '--', file, ...args];
}

/** What `bwrap` itself says when it cannot do that. */
export function bubblewrapComplaint(words: string): { readonly why: string; readonly hint: string } | undefined {
  const [, said] = /^bwrap: (.*)$/m.exec(words) ?? [];
  if (said === undefined) return undefined;
  const [, missing] = /^Can't find source path (.*): No such file/.exec(said) ?? [];
  if (missing !== undefined) {
    return { why: `there is no ${missing}`, hint: `create it, or take it out of readable and writable` };
  }
  if (/namespace|uid map|Operation not permitted|setuid/i.test(said)) {
    return {
      why: `this system does not let bwrap make a sandbox: ${said}`,
      hint: 'allow user namespaces (sysctl kernel.unprivileged_userns_clone, an AppArmor profile for bwrap, or the settings of the container Junctor runs in)',
    };
  }
  return { why: `bwrap: ${said}`, hint: 'look at readable, writable and cwd of this server' };
}
