/** What is made in the cluster for one start of a server: its pod, its variables as a Secret, its address as a Service. */
import type { K8sSettings } from '../../../config/schema/site-schema.ts';
import { confinementOf } from '../../../resolve/confinement.ts';
import { LAUNCH_VARIABLE } from '../../process/process-table.ts';
import type { StartThere } from '../executor.ts';
import { LAUNCH_LABEL, MACHINE_LABEL, thisMachine } from '../this-machine.ts';

export const CONTAINER = 'server';

/** Kinds in the order in which they are deleted: what others rely on goes last. */
export const KINDS = 'pods,services,secrets';

/** Too long, and the end of a session waits for a server that does not listen. */
const GRACE_SECONDS = 2;

const LONGEST_NAME = 63;

/** kubectl gives a forwarded port up at the first connection that is refused: it is used once somebody listens. */
function served(port: number): object {
  return { ports: [{ containerPort: port }], readinessProbe: { tcpSocket: { port }, periodSeconds: 1 } };
}

const TEMPORARY = 'tmp';

/** As the profile `restricted` of Kubernetes wants it, but for the user, which is the image's where nobody names one. */
function confined(settings: K8sSettings): object {
  const { memoryMb, cpus, capabilities, newPrivileges, isUnfiltered, readOnly } = confinementOf(settings);
  const { user } = settings;
  const limits = { ...(memoryMb === 0 ? {} : { memory: `${memoryMb}Mi` }), ...(cpus === 0 ? {} : { cpu: `${cpus}` }) };
  return {
    securityContext: {
      allowPrivilegeEscalation: newPrivileges,
      capabilities: { drop: ['ALL'], ...(capabilities.length > 0 ? { add: capabilities } : {}) },
      seccompProfile: { type: isUnfiltered ? 'Unconfined' : 'RuntimeDefault' },
      ...(readOnly ? { readOnlyRootFilesystem: true } : {}),
      ...(user === undefined ? {} : { runAsUser: user, runAsNonRoot: true }),
    },
    // Without requests of its own a pod would ask for as much as it may have, and small clusters have no room for it.
    resources: { limits, requests: Object.fromEntries(Object.keys(limits).map(name => [name, '0'])) },
    ...(readOnly ? { volumeMounts: [{ name: TEMPORARY, mountPath: '/tmp' }] } : {}),
  };
}

/** The words that delete all that was made for a start: all of it bears its label. */
export function deleteOf(mark: string): string[] {
  return ['delete', KINDS, '--selector', `${LAUNCH_LABEL}=${mark}`, '--wait=false'];
}

/** A cluster fills `$(NAME)` in, and takes `$$` for one `$`. */
function literal(word: string): string {
  return word.replaceAll('$', () => '$$');
}

export function objectName(server: string, mark: string): string {
  const tail = `-${mark.slice(-8)}`;
  const id = server.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return `junctor-${id}`.slice(0, LONGEST_NAME - tail.length).replace(/-+$/, '') + tail;
}

export function manifest(
  settings: K8sSettings,
  { program, port }: Pick<StartThere, 'program' | 'port'>,
  { name, mark }: { readonly name: string; readonly mark: string },
): object {
  const labels = { 'app.kubernetes.io/managed-by': 'junctor', [LAUNCH_LABEL]: mark, [MACHINE_LABEL]: thisMachine() };
  const metadata = { name, labels };
  const { image, cwd, service_account } = settings;
  const container = {
    name: CONTAINER,
    image,
    command: [program.command, ...program.args].map(literal),
    ...(cwd === undefined ? {} : { workingDir: cwd }),
    env: [{ name: LAUNCH_VARIABLE, value: mark }],
    envFrom: [{ secretRef: { name } }],
    ...(port === undefined ? { stdin: true, stdinOnce: true } : served(port)),
    ...confined(settings),
  };
  const spec = {
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: GRACE_SECONDS,
    // A server gets no way into the cluster that nobody gave it.
    ...(service_account === undefined
      ? { automountServiceAccountToken: false }
      : { serviceAccountName: service_account }),
    containers: [container],
    ...(settings.read_only ? { volumes: [{ name: TEMPORARY, emptyDir: {} }] } : {}),
  };
  const service = { selector: { [LAUNCH_LABEL]: mark }, ports: [{ port, targetPort: port }] };
  return {
    apiVersion: 'v1',
    kind: 'List',
    items: [
      { apiVersion: 'v1', kind: 'Secret', metadata, stringData: program.env },
      ...(port === undefined ? [] : [{ apiVersion: 'v1', kind: 'Service', metadata, spec: service }]),
      { apiVersion: 'v1', kind: 'Pod', metadata, spec },
    ],
  };
}
