/** How far a pod has come, and what keeps it from running. Pure. */
import type { K8sSettings } from '../../../config/schema/site-schema.ts';
import type { Diagnosis } from '../executor.ts';

export type PodState =
  | { readonly kind: 'waiting' }
  /** It runs, and listens where it is to. */
  | { readonly kind: 'ready' }
  /** Its first process is over. */
  | { readonly kind: 'ended' }
  | ({ readonly kind: 'failed' } & Diagnosis);

/** As much of a pod as tells that. */
export interface PodObject {
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly { readonly type?: string; readonly status?: string }[];
    readonly containerStatuses?: readonly { readonly state?: { readonly waiting?: Waiting } }[];
  };
}

interface Waiting {
  readonly reason?: string;
  readonly message?: string;
}

const NO_IMAGE = new Set(['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull']);
const NO_CONTAINER = new Set(['CreateContainerConfigError', 'CreateContainerError', 'RunContainerError']);

export function podState({ status = {} }: PodObject, { image }: Pick<K8sSettings, 'image'>): PodState {
  const isReady = status.conditions?.some(({ type, status: so }) => type === 'Ready' && so === 'True');
  if (status.phase === 'Running') return { kind: isReady ? 'ready' : 'waiting' };
  if (status.phase === 'Succeeded' || status.phase === 'Failed') return { kind: 'ended' };
  const { reason = '', message = reason } = status.containerStatuses?.[0]?.state?.waiting ?? {};
  if (NO_IMAGE.has(reason)) {
    const why = `the cluster cannot get the image '${image}': ${message}`;
    return { kind: 'failed', why, hint: 'push it to a registry that the cluster may read, or mend k8s.image' };
  }
  if (!NO_CONTAINER.has(reason)) return { kind: 'waiting' };
  const why = `the cluster cannot make the container: ${message}`;
  return { kind: 'failed', why, hint: 'check command, cwd and image of this server' };
}
