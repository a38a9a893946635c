/** The sandbox of Linux: `bwrap` gives a program namespaces of its own, which end with it. Pure. */
import type { Folder } from './sandbox-view.ts';

export interface Confined {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly network: boolean;
  /** Variables that only the program inside may have. */
  readonly inside: Readonly<Record<string, string>>;
}

/** Where the name servers of this machine stand, on systems that keep them among what is hidden. */
const NAME_SERVERS = ['/run/systemd/resolve', '/run/resolvconf', '/run/NetworkManager/resolv.conf'];

const FLAGS = { hidden: '--tmpfs', readable: '--ro-bind', writable: '--bind' } as const;

export function bubblewrapArgs({ file, args, cwd, network, inside }: Confined, view: readonly Folder[]): string[] {
  return [
    // Process ids of its own: whatever it starts ends with it, however it was started.
    '--unshare-all',
    ...(network ? ['--share-net'] : []),
    '--die-with-parent',
    '--cap-drop',
    'ALL',
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...view.flatMap(({ path, as }) => (as === 'hidden' ? [FLAGS.hidden, path] : [FLAGS[as], path, path])),
    ...(network ? NAME_SERVERS.flatMap(path => ['--ro-bind-try', path, path]) : []),
    ...Object.entries({ ...inside, TMPDIR: '/tmp' }).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--chdir', cwd, '--', file, ...args],
  ];
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
