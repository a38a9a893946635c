/** What holds a container or a pod that is made for a server: strict by default, and each setting may loosen it. Pure. */
import type { DockerSettings, K8sSettings, SandboxSettings } from '../config/schema/site-schema.ts';

/** Enough for the servers we know; a limit that is too small ends a server in the middle of a call. */
const DEFAULTS = { memory_mb: 2048, cpus: 1, pids: 512 } as const;

type Settings = Partial<Pick<DockerSettings, 'pids' | 'network'>> &
  Pick<K8sSettings, 'memory_mb' | 'cpus' | 'capabilities' | 'new_privileges' | 'seccomp' | 'read_only'>;

export interface Confinement {
  /** 0: no limit, as for the two below. */
  readonly memoryMb: number;
  readonly cpus: number;
  readonly pids: number;
  /** Those that are kept; all others are dropped. */
  readonly capabilities: readonly string[];
  readonly newPrivileges: boolean;
  readonly isUnfiltered: boolean;
  readonly readOnly: boolean;
}

export function confinementOf(settings: Settings): Confinement {
  const { memory_mb = DEFAULTS.memory_mb, cpus = DEFAULTS.cpus, pids = DEFAULTS.pids } = settings;
  const { capabilities = [], new_privileges = false, seccomp = 'default', read_only = false } = settings;
  const isUnfiltered = seccomp === 'unconfined';
  return {
    ...{ memoryMb: memory_mb, cpus, pids, capabilities },
    ...{ newPrivileges: new_privileges, isUnfiltered, readOnly: read_only },
  };
}

/** Settings that hold less than the default does, in words for people. */
export function weakerThanDefault(settings: Settings): string[] {
  const { memoryMb, cpus, pids, capabilities, newPrivileges, isUnfiltered } = confinementOf(settings);
  return [
    ...above('memory', memoryMb, { usual: DEFAULTS.memory_mb, unit: ' MiB' }),
    ...above('CPU', cpus, { usual: DEFAULTS.cpus, unit: '' }),
    ...above('process', pids, { usual: DEFAULTS.pids, unit: '' }),
    ...(capabilities.length > 0 ? [`capabilities ${capabilities.join(', ')}`] : []),
    ...(newPrivileges ? ['new privileges'] : []),
    ...(isUnfiltered ? ['all system calls'] : []),
    ...(settings.network === 'host' ? ['the network of the machine'] : []),
  ];
}

/** The same of a sandbox. Folders that it shows are the reason to set it up, and are not named. */
export function weakerSandbox({ network = false, pids, seccomp }: SandboxSettings): string[] {
  return [
    ...(pids === 0 ? ['no process limit'] : []),
    ...(seccomp === 'unconfined' ? ['all system calls'] : []),
    ...(network ? ['the network of the machine'] : []),
  ];
}

function above(what: string, limit: number, { usual, unit }: { readonly usual: number; readonly unit: string }) {
  if (limit === 0) return [`no ${what} limit`];
  return limit > usual ? [`${what} limit ${limit}${unit}`] : [];
}
