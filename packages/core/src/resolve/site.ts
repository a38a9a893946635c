/** Where the program of a server runs, where that is not simply this machine. Pure. */
import type { DockerSettings, SiteKind, SshSettings } from '../config/site-schema.ts';
import type { ExecutorPolicy } from './policy.ts';

interface SiteOf<Kind extends SiteKind, Settings> {
  /** The name of the executor, for people. */
  readonly executor: string;
  readonly kind: Kind;
  readonly settings: Settings;
}

export type Site = SiteOf<'docker', DockerSettings> | SiteOf<'ssh', SshSettings>;

/** An executor is of the kind whose settings it has, whatever its name. Without any its servers run on this machine. */
export function siteOf(executor: string, { docker, ssh }: ExecutorPolicy): Site | undefined {
  if (docker) return { executor, kind: 'docker', settings: docker };
  if (ssh) return { executor, kind: 'ssh', settings: ssh };
  return undefined;
}
