/** What each kind of runtime allows when nobody says otherwise, and the policy that holds for one agent on one of them. */
import { agentId } from '../config/agent-id.ts';
import type { AgentDef, ConfigFrame, ExecutorMcpPolicy } from '../config/schema/schema.ts';
import type {
  DockerSettings,
  K8sSettings,
  SandboxSettings,
  SiteKind,
  SshSettings,
} from '../config/schema/site-schema.ts';

export const EXECUTORS = ['local', 'docker', 'ssh', 'k8s', 'sandbox'] as const;
export type ExecutorName = (typeof EXECUTORS)[number];

export interface ExecutorPolicy {
  readonly allow_stdio: boolean;
  readonly allow_http: boolean;
  readonly allow_sse: boolean;
  readonly allow_streamable_http: boolean;
  readonly allow_ws: boolean;
  /** Whether a stdio server may be shared through the hub. */
  readonly stdio_proxy: boolean;
  readonly http_url_rewrite: Readonly<Record<string, string>>;
  readonly env_injection: Readonly<Record<string, string>>;
  /** Injected variables that a server may set otherwise. */
  readonly env_server_wins: readonly string[];
  /** Where this machine sees the home directory of agents there; undefined: nowhere. */
  readonly home?: string;
  /** Whether programs start on this machine, as those of the executor `local` always do. */
  readonly local?: boolean;
  /** Where programs start, each under its kind. None, and not `local`: nowhere. */
  readonly docker?: DockerSettings;
  readonly ssh?: SshSettings;
  readonly sandbox?: SandboxSettings;
  readonly k8s?: K8sSettings;
}

const EVERYTHING: ExecutorPolicy = {
  allow_stdio: true,
  allow_http: true,
  allow_sse: true,
  allow_streamable_http: true,
  allow_ws: true,
  stdio_proxy: false,
  http_url_rewrite: {},
  env_injection: {},
  env_server_wins: [],
};

/** Inside a container `localhost` is the container itself; Docker calls the machine around it by this name. */
const DOCKER_HOST = 'host.docker.internal';

export const DEFAULT_POLICIES: Readonly<Record<ExecutorName, Omit<ExecutorPolicy, 'home' | 'local' | SiteKind>>> = {
  local: { ...EVERYTHING, stdio_proxy: true },
  docker: {
    ...EVERYTHING,
    http_url_rewrite: { localhost: DOCKER_HOST, '127.0.0.1': DOCKER_HOST, '[::1]': DOCKER_HOST },
  },
  ssh: EVERYTHING,
  k8s: EVERYTHING,
  sandbox: EVERYTHING,
};

/** Built in, then `executors`, then `agents.<agent>.executors`: each key as the last of them says. */
export function policyFor(frame: ConfigFrame, executor: string, agent: string | undefined): ExecutorPolicy {
  const builtIn = (DEFAULT_POLICIES as Readonly<Record<string, ExecutorPolicy>>)[executor] ?? EVERYTHING;
  const own = agentNamed(frame, agent)?.executors?.[executor];
  return above(above(builtIn, said(frame.executors?.[executor])), said(own));
}

/** Whether anybody said what it is. One that is only named, by a slip say, confines nobody. */
export function isKnownExecutor(frame: ConfigFrame, executor: string, agent: string | undefined): boolean {
  const policies = [DEFAULT_POLICIES, frame.executors ?? {}, agentNamed(frame, agent)?.executors ?? {}];
  return policies.some(named => Object.hasOwn(named, executor));
}

export function agentNamed(frame: ConfigFrame, agent: string | undefined): AgentDef | undefined {
  const wanted = agent === undefined ? undefined : agentId(agent);
  return Object.entries(frame.agents ?? {}).find(([name]) => agentId(name) === wanted)?.[1];
}

/** An executor is at one place: who names another one does not mean both. */
function above(low: ExecutorPolicy, high: Partial<ExecutorPolicy>): ExecutorPolicy {
  const { docker, ssh, k8s, sandbox, local, ...rest } = low;
  const moves = high.local || (high.docker ?? high.ssh ?? high.k8s ?? high.sandbox) !== undefined;
  return { ...(moves ? rest : low), ...high };
}

function said(policy: ExecutorMcpPolicy | undefined): Partial<ExecutorPolicy> {
  return Object.fromEntries(Object.entries(policy ?? {}).filter(([, value]) => value !== undefined));
}
