/** A server in a pod of its own: made before it is talked to, deleted when it has ended, also when we were killed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { JunctorError } from '../../../base/error.ts';
import type { K8sSite } from '../../../resolve/site.ts';
import { newLaunchMark } from '../../process/launch-mark.ts';
import { freePort } from '../../process/port.ts';
import { type StartHere, type StartThere, unavailable } from '../executor.ts';
import { runTool } from '../run-tool.ts';
import { k8sDiagnosis } from './k8s-diagnosis.ts';
import { CONTAINER, deleteOf, manifest, objectName } from './k8s-manifest.ts';
import { podState } from './k8s-pod-state.ts';
import { isInCluster, kubectlFor } from './kubectl.ts';

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2000;
const LAST_LINES = 8;

export async function placeInPodOfItsOwn(site: K8sSite, what: StartThere): Promise<StartHere> {
  const { settings } = site;
  const { server, environment, port } = what;
  const mark = newLaunchMark();
  const name = objectName(server, mark);
  const kubectl = kubectlFor(settings, environment);

  const ask = async (signal: AbortSignal, words: readonly string[], input?: string): Promise<string> => {
    const { code, output, words: complaint } = await runTool(kubectl(...words), { environment, signal, input });
    if (code === 0) return output;
    const unknown = { why: `kubectl ${words[0]} failed; it said:\n${complaint}`, hint: 'run it by hand to see why' };
    throw unavailable(site, server, k8sDiagnosis(settings, { code, words: complaint }) ?? unknown);
  };

  const prepare = async (signal: AbortSignal): Promise<void> => {
    const made = JSON.stringify(manifest(settings, what, { name, mark }));
    await ask(signal, ['create', '--validate=false', '--filename', '-'], made);
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 1.5, LONGEST_WAIT_MS)) {
      const state = podState(JSON.parse(await ask(signal, ['get', 'pod', name, '--output', 'json'])), settings);
      if (state.kind === 'ready') return;
      if (state.kind === 'failed') throw unavailable(site, server, state);
      if (state.kind === 'ended') {
        const words = await ask(signal, ['logs', name, '--container', CONTAINER, '--tail', String(LAST_LINES)]);
        throw endedAtOnce(server, words.trim());
      }
      await sleep(wait, undefined, { signal });
    }
  };

  const attach = kubectl('attach', ...(port === undefined ? ['--stdin'] : []), name, '--container', CONTAINER);
  const undo = kubectl(...deleteOf(mark));
  if (port === undefined) return { program: attach, prepare, undo };
  if (isInCluster(environment)) {
    const { namespace } = settings;
    const host = namespace === undefined ? name : `${name}.${namespace}.svc`;
    return { program: attach, prepare, undo, address: `${host}:${port}` };
  }
  const local = await freePort();
  const forward = kubectl('port-forward', '--address', '127.0.0.1', `pod/${name}`, `${local}:${port}`);
  return { program: forward, prepare, undo, address: `127.0.0.1:${local}` };
}

function endedAtOnce(server: string, words: string): JunctorError {
  return new JunctorError('connection_failed', `Server '${server}' ended in its pod before it had answered.`, {
    server,
    why: words === '' ? 'it printed nothing' : `the last lines it printed:\n${words}`,
    hint: 'run its command in a container of the same image to see what is wrong',
  });
}
