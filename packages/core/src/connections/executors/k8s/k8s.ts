/**
 * Servers in a cluster, by the kubectl program. With `pod` a server becomes one more process in a container of that pod, which
 * is found again by its mark and ended; with `image` it gets a pod of its own, which is deleted when it ends. What runs there
 * already as a Service is reached by its name.
 */
import type { K8sSettings } from '../../../config/schema/site-schema.ts';
import { serviceAt } from '../../../resolve/service-name.ts';
import type { K8sSite } from '../../../resolve/site.ts';
import type { Environment } from '../../process/environment.ts';
import { newLaunchMark } from '../../process/launch-mark.ts';
import { freePort } from '../../process/port.ts';
import { LAUNCH_VARIABLE } from '../../process/process-table.ts';
import { endMarked } from '../end-marked.ts';
import { type Executor, type StartHere, type StartThere, unavailable, type Way } from '../executor.ts';
import { READ_AND_RUN, startLine } from '../start-line.ts';
import { k8sDiagnosis } from './k8s-diagnosis.ts';
import { placeInPodOfItsOwn } from './k8s-pod.ts';
import { deleteAbandoned } from './k8s-sweep.ts';
import { isInCluster, kubectlFor } from './kubectl.ts';

export function k8s(site: K8sSite): Executor {
  const { settings } = site;
  return {
    place(what) {
      if (settings.pod !== undefined) return placeInPod(site, what);
      if (settings.image !== undefined) return placeInPodOfItsOwn(site, what);
      throw unavailable(site, what.server, {
        why: 'it names neither a pod to start servers in, nor an image to make pods of',
        hint: `set k8s.pod or k8s.image of executor '${site.executor}'`,
      });
    },
    reach: (url, environment) => reach(settings, url, environment),
    diagnose: ended => k8sDiagnosis(settings, ended),
    async sweep(environment, signal) {
      if (settings.image !== undefined)
        await deleteAbandoned(kubectlFor(settings, environment), { environment, signal });
    },
  };
}

/** Variables go through stdin, as the line that a shell there reads first. */
function placeInPod(site: K8sSite, { server, program, environment, port }: StartThere): StartHere {
  const { pod = '', container, cwd } = site.settings;
  if (port !== undefined) {
    throw unavailable(site, server, {
      why: 'it is reached at an address, and a process in a pod of others has none of its own',
      hint: 'name an image in place of the pod, or run the server over stdio',
    });
  }
  const kubectl = kubectlFor(site.settings, environment);
  const inside = [pod, ...(container === undefined ? [] : ['--container', container]), '--'];
  const mark = newLaunchMark();
  const marked = { ...program, env: { ...program.env, [LAUNCH_VARIABLE]: mark } };
  return {
    program: kubectl('exec', '--stdin', ...inside, 'sh', '-c', READ_AND_RUN),
    opening: `${startLine(server, marked, { cwd, watched: false })}\n`,
    undo: kubectl('exec', ...inside, ...endMarked(mark)),
  };
}

/** From inside the cluster by name; from outside through a port of this machine, which kubectl forwards. */
async function reach(settings: K8sSettings, url: string, environment: Environment): Promise<Way> {
  const { namespace } = settings;
  const { name, port } = serviceAt(url) ?? { name: '', port: 0 };
  if (isInCluster(environment))
    return { address: `${namespace === undefined ? name : `${name}.${namespace}.svc`}:${port}` };
  const local = await freePort();
  const kubectl = kubectlFor(settings, environment);
  return {
    address: `127.0.0.1:${local}`,
    program: kubectl('port-forward', '--address', '127.0.0.1', `service/${name}`, `${local}:${port}`),
  };
}
