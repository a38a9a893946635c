/** What is wrong when the kubectl program ends before the server over there has answered. */
import type { K8sSettings } from '../../../config/schema/site-schema.ts';
import type { Diagnosis, Ended } from '../executor.ts';
import { type KnownFailure, knownFailure } from '../known-failures.ts';
import { EXIT } from '../start-line.ts';

/** Lines that kubectl writes about itself. A server may complain of the same things in words of its own. */
const OF_KUBECTL =
  /^(error: |Error from server|Error in configuration|Unable to connect|The connection to the server)/im;

export function k8sDiagnosis(settings: K8sSettings, { code, words }: Ended): Diagnosis | undefined {
  const { cwd, pod } = settings;
  const place = pod === undefined ? 'the image' : `pod '${pod}'`;
  if (code === EXIT.noFolder)
    return { why: `there is no folder ${cwd} in ${place}`, hint: 'mend k8s.cwd of this executor' };
  const found = OF_KUBECTL.test(words) ? knownFailure(words, failuresOf(settings)) : undefined;
  if (found) return found;
  if (!EXIT.couldNotRun.some(one => one === code)) return undefined;
  return {
    why: `${place} cannot run its command; it said:\n${words}`,
    hint: 'name a command that the image has; servers in a pod are started by its sh',
  };
}

function failuresOf({ context, namespace, pod, container }: K8sSettings): KnownFailure[] {
  const inNamespace = namespace === undefined ? '' : ` --namespace ${namespace}`;
  return [
    {
      says: /context.* (was not found|does not exist)|no configuration has been provided|error loading config file/i,
      means: context === undefined ? 'kubectl knows no cluster' : `kubectl does not know the context '${context}'`,
      hint: 'kubectl config get-contexts names those it knows; k8s.kubeconfig names another file',
    },
    {
      says: /must be logged in|unauthorized|provide credentials|getting credentials/i,
      means: 'the cluster does not know you',
      hint: 'sign in to the cluster, and try kubectl get pods by hand',
    },
    {
      says: /forbidden/i,
      means: 'the cluster does not let you do that',
      hint: 'ask for the rights that docs/executors.md lists, or choose another namespace',
    },
    {
      says: /namespaces? "[^"]*" not found/i,
      means: `there is no namespace '${namespace}'`,
      hint: 'kubectl get namespaces names those there are',
    },
    {
      says: /pods? "[^"]*" not found/i,
      means: pod === undefined ? 'the pod of the server is gone' : `there is no pod '${pod}'`,
      hint: `kubectl get pods${inNamespace} names those there are`,
    },
    {
      says: /services? "[^"]*" not found/i,
      means: 'there is no such Service in the cluster',
      hint: `kubectl get services${inNamespace} names those there are; mend url of this server`,
    },
    {
      says: /container .*(not found|is not valid)|container not found/i,
      means: container === undefined ? 'the container does not run' : `there is no container '${container}' in it`,
      hint: 'mend k8s.container of this executor',
    },
    {
      says: /completed pod|pod is not running|no running pod|unable to forward port because pod|timed out waiting/i,
      means: 'no pod runs there',
      hint: `kubectl describe pods${inNamespace} tells why`,
    },
    {
      says: /unable to connect|connection refused|was refused|no such host|i\/o timeout|TLS handshake/i,
      means: 'the cluster does not answer',
      hint: 'check with kubectl get pods that it can be reached from here',
    },
  ];
}
