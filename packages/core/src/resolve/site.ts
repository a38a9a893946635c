/** Where the program of a server runs, where that is not simply this machine. Pure. */
import type {
  DockerSettings,
  K8sSettings,
  SandboxSettings,
  SiteKind,
  SshSettings,
} from '../config/schema/site-schema.ts';
import { weakerSandbox, weakerThanDefault } from './confinement.ts';
import type { ExecutorPolicy } from './policy.ts';

interface SiteOf<Kind extends SiteKind, Settings> {
  /** The name of the executor, for people. */
  readonly executor: string;
  readonly kind: Kind;
  readonly settings: Settings;
}

export type SandboxSite = SiteOf<'sandbox', SandboxSettings>;
export type K8sSite = SiteOf<'k8s', K8sSettings>;
export type DockerPlace = SiteOf<'docker', DockerSettings>;
export type Site = DockerPlace | SiteOf<'ssh', SshSettings> | SandboxSite | K8sSite;

/** Whether it is this machine after all, only narrower. */
export function isHere(site: Site | undefined): boolean {
  return site === undefined || site.kind === 'sandbox';
}

/** In words, for people. */
export function describeSite({ executor, ...site }: Site): string {
  if (site.kind === 'ssh') return `started on ${site.settings.host} over ssh`;
  if (site.kind === 'sandbox') return `started in a sandbox on this machine${saidWeaker(weakerSandbox(site.settings))}`;
  if (site.kind === 'k8s') {
    const { pod, image, namespace } = site.settings;
    const started = pod === undefined ? `started in a pod of ${image}` : `started inside pod ${pod}`;
    const loose = pod === undefined && image !== undefined ? loosened(site.settings) : '';
    // What runs there already needs neither.
    const where = pod === undefined && image === undefined ? 'reached in the cluster by kubectl' : started;
    return `${where}${namespace === undefined ? '' : ` in namespace ${namespace}`}${loose}`;
  }
  const { container, image, host } = site.settings;
  const where = container === undefined ? `in a container of ${image}` : `inside container ${container}`;
  const loose = container === undefined ? loosened(site.settings) : '';
  return `started ${where}${host === undefined ? '' : ` at ${host}`}${loose}`;
}

function loosened(settings: DockerSettings | K8sSettings): string {
  return saidWeaker(weakerThanDefault(settings));
}

function saidWeaker(weaker: readonly string[]): string {
  return weaker.length === 0 ? '' : `, weaker than by default: ${weaker.join('; ')}`;
}

/**
 * An executor is of the kind whose settings it has, whatever its name; one that is called a sandbox is one without any.
 * Undefined: it is this machine, or no settings say where it is.
 */
export function siteOf(executor: string, { docker, ssh, sandbox, k8s }: ExecutorPolicy): Site | undefined {
  if (docker) return { executor, kind: 'docker', settings: docker };
  if (ssh) return { executor, kind: 'ssh', settings: ssh };
  if (k8s) return { executor, kind: 'k8s', settings: k8s };
  const confined = sandbox ?? (executor === 'sandbox' ? {} : undefined);
  return confined && { executor, kind: 'sandbox', settings: confined };
}
