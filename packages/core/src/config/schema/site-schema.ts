/** Where an executor starts the programs of servers: one shape for each kind of place that is not simply this machine. */
import * as z from 'zod/mini';
import { may } from './schema-words.ts';

/** What begins with a dash would be read as an option by the program that gets it. */
const word = () => z.string().check(z.regex(/^[^-\s][^\s]*$/, 'one word that does not begin with -'));
const folder = () => z.string().check(z.minLength(1));

const atLeastZero = () => z.number().check(z.minimum(0));

/** What holds the containers and pods that are made of an image. */
const confined = {
  memory_mb: may(z.int().check(z.minimum(0)), 'Memory that a server may use, in MiB. Default 2048; 0: no limit.'),
  cpus: may(atLeastZero(), 'Processors that a server may use, such as 0.5. Default 1; 0: no limit.'),
  capabilities: may(
    z.array(z.string().check(z.regex(/^[A-Z][A-Z_]*$/, 'a capability of Linux, such as NET_BIND_SERVICE'))),
    'Linux capabilities that a server keeps, such as NET_BIND_SERVICE. Default: none.',
  ),
  new_privileges: may(z.boolean(), 'true: programs may gain privileges, as sudo does. Default false.'),
  seccomp: may(
    z.enum(['default', 'unconfined']),
    'Which system calls a server may use: default, those that the runtime allows, or unconfined, all.',
  ),
  read_only: may(z.boolean(), 'true: the file system of the image is read-only, but for /tmp. Default false.'),
};

/** What runs already has limits of its own. */
function ofImagesOnly(where: 'container' | 'pod', keys: readonly string[]) {
  return z.refine<Readonly<Record<string, unknown>>>(
    site => site[where] === undefined || keys.every(key => site[key] === undefined),
    { error: `${keys.join(', ')}: these go with an image. A ${where} that runs already has limits of its own.` },
  );
}

const DockerKeys = z.strictObject({
  host: may(
    word(),
    'The Docker daemon, such as ssh://user@machine or tcp://machine:2376. Default: that of this machine.',
  ),
  context: may(word(), 'A context of the docker program, in place of host.'),
  container: may(word(), 'A running container: servers are started inside it.'),
  image: may(word(), 'An image: each server gets a container of it, which is removed when the server ends.'),
  network: may(word(), 'Network of those containers, such as container:NAME to join that of another one.'),
  user: may(word(), 'User inside the container. Default: that of the image.'),
  cwd: may(folder(), 'Folder inside the container in which servers start. Default: that of the image.'),
  volumes: may(z.array(word()), 'Volumes of those containers, as docker run -v takes them.'),
  publish: may(
    word(),
    'Address of the machine with the daemon at which ports of servers are published. Default 127.0.0.1 where that is this machine.',
  ),
  ...confined,
  pids: may(z.int().check(z.minimum(0)), 'Processes that a server may have at a time. Default 512; 0: no limit.'),
});

export const DockerSite = DockerKeys.check(
  z.refine(({ image, container }) => (image === undefined) !== (container === undefined), {
    error: 'Name an image, or a container that runs: one of the two.',
  }),
  ofImagesOnly('container', [...Object.keys(confined), 'pids']),
);

export const SshSite = z.strictObject({
  host: word().check(z.describe('The machine, or a Host of your ssh config.')),
  user: may(word(), 'User there. Default: what your ssh config says.'),
  port: may(z.int().check(z.positive(), z.maximum(65_535)), 'Port there. Default: what your ssh config says, else 22.'),
  identity_file: may(folder(), 'Private key to sign in with. Nobody is asked for a password.'),
  config_file: may(folder(), 'Read in place of your own ssh config.'),
  options: may(
    z.array(z.string().check(z.regex(/^[A-Za-z]+[ =]/, 'an option as ssh_config has it, such as Compression=yes'))),
    'Further options, as ssh -o takes them.',
  ),
  cwd: may(folder(), 'Folder there in which servers start. Default: the home directory.'),
});

export const SandboxSite = z.strictObject({
  readable: may(
    z.array(folder()),
    'Folders that servers may read, beside the system and their own: ~ is the home directory.',
  ),
  writable: may(z.array(folder()), 'Folders that servers may write, beside the one they start in.'),
  network: may(z.boolean(), 'Whether servers have the network of this machine. Default false.'),
  cache: may(
    z.boolean(),
    'Whether each server keeps a ~/.cache of its own between starts, for npx, uvx and pip. Default: what network says.',
  ),
  pids: may(z.int().check(z.minimum(0)), 'Processes that a server may have at a time. Default 1024; 0: no limit.'),
  seccomp: may(
    z.enum(['default', 'unconfined']),
    'Which system calls a server may use: default, without those that change the system or make namespaces, or unconfined, all.',
  ),
});

const K8sKeys = z.strictObject({
  context: may(word(), 'A context of your kubeconfig. Default: the current one.'),
  kubeconfig: may(folder(), 'Read in place of your own kubeconfig.'),
  namespace: may(
    word(),
    'Namespace of the pods, and of Services that are named without one. Default: that of the context.',
  ),
  pod: may(word(), 'A running pod, such as that of the agent: servers are started inside it.'),
  container: may(word(), 'Container of that pod, such as a sidecar. Default: its first one.'),
  image: may(word(), 'An image: each server gets a pod of it, which is deleted when the server ends.'),
  service_account: may(word(), 'Service account of those pods. Default: they get no credentials of the cluster.'),
  cwd: may(folder(), 'Folder in which servers start. Default: that of the image.'),
  ...confined,
  user: may(z.int().check(z.positive()), 'Number of the user that servers run as. Default: the user of the image.'),
});

export const K8sSite = K8sKeys.check(ofImagesOnly('pod', [...Object.keys(confined), 'user']));

/** Any of these makes an executor one whose servers are started there. */
export const SITES = { docker: DockerSite, ssh: SshSite, sandbox: SandboxSite, k8s: K8sSite } as const;

export type SiteKind = keyof typeof SITES;
export const SITE_KINDS = Object.keys(SITES) as readonly SiteKind[];
export type DockerSettings = z.infer<typeof DockerSite>;
export type SshSettings = z.infer<typeof SshSite>;
export type SandboxSettings = z.infer<typeof SandboxSite>;
export type K8sSettings = z.infer<typeof K8sSite>;
