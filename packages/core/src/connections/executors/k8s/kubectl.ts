/** The command lines of kubectl: which cluster, which namespace, and what to do there. */
import type { K8sSettings } from '../../../config/schema/site-schema.ts';
import type { Environment } from '../../process/environment.ts';
import type { Program } from '../../process/find-command.ts';
import { passedOn } from '../passed-on.ts';

/** Variables that say where the cluster is, and those of programs that kubectl asks for credentials. */
const OWN_VARIABLES = [
  'KUBECONFIG',
  'KUBERNETES_SERVICE_HOST',
  'KUBERNETES_SERVICE_PORT',
  'AWS_PROFILE',
  'AWS_REGION',
  'AWS_CONFIG_FILE',
  'AWS_SHARED_CREDENTIALS_FILE',
  'AZURE_CONFIG_DIR',
  'CLOUDSDK_CONFIG',
  'GOOGLE_APPLICATION_CREDENTIALS',
];

export type Kubectl = (...words: readonly string[]) => Program;

export function kubectlFor({ kubeconfig, context, namespace }: K8sSettings, environment: Environment): Kubectl {
  const where = { kubeconfig, context, namespace };
  const options = Object.entries(where).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
  const env = passedOn(environment, OWN_VARIABLES);
  return (...words) => ({ command: 'kubectl', args: [...options, ...words], cwd: undefined, env });
}

/** Whether we run in a pod ourselves: every pod is told so, and names of services lead somewhere. */
export function isInCluster({ KUBERNETES_SERVICE_HOST: host }: Environment): boolean {
  return host !== undefined && host !== '';
}
