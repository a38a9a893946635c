/** Where the program of a server runs, where that is not simply this machine. Pure. */
import type { DockerSettings, K8sSettings, SandboxSettings, SiteKind, SshSettings } from '../config/site-schema.ts';
import type { ExecutorPolicy } from './policy.ts';

interface SiteOf<Kind extends SiteKind, Settings> {
  /** The name of the executor, for people. */
  readonly executor: string;
  readonly kind: Kind;
  readonly settings: Settings;
}

export type SandboxSite = SiteOf<'sandbox', SandboxSettings>;
export type K8sSite = SiteOf<'k8s', K8sSettings>;
export type Site = SiteOf<'docker', DockerSettings> | SiteOf<'ssh', SshSettings> | SandboxSite | K8sSite;

/**
 * An executor is of the kind whose settings it has, whatever its name. Without any its servers run on this machine: but one
 * that is called a sandbox is one.
 */
export function siteOf(executor: string, { docker, ssh, sandbox, k8s }: ExecutorPolicy): Site | undefined {
  if (docker) return { executor, kind: 'docker', settings: docker };
  if (ssh) return { executor, kind: 'ssh', settings: ssh };
  if (k8s) return { executor, kind: 'k8s', settings: k8s };
  const confined = sandbox ?? (executor === 'sandbox' ? {} : undefined);
  return confined && { executor, kind: 'sandbox', settings: confined };
}
