/** Deletes what a Junctor of this machine left in a cluster, when it was killed together with all that would have deleted it. */

import { runTool, type ToolOptions } from '../run-tool.ts';
import { isAbandoned, LAUNCH_LABEL, MACHINE_LABEL, thisMachine } from '../this-machine.ts';
import { deleteOf, KINDS } from './k8s-manifest.ts';
import type { Kubectl } from './kubectl.ts';

interface Listed {
  readonly items: readonly { readonly metadata: { readonly labels?: Readonly<Record<string, string>> } }[];
}

export async function deleteAbandoned(
  kubectl: Kubectl,
  options: Pick<ToolOptions, 'environment' | 'signal'>,
): Promise<void> {
  // Others use the same cluster from their machines: nobody here can tell whether they still live.
  const ours = `${MACHINE_LABEL}=${thisMachine()}`;
  const { code, output } = await runTool(kubectl('get', KINDS, '--selector', ours, '--output', 'json'), options);
  if (code !== 0) return;
  const labels = (JSON.parse(output) as Listed).items.map(({ metadata }) => metadata.labels?.[LAUNCH_LABEL] ?? '');
  for (const mark of new Set(labels)) {
    if (await isAbandoned(mark)) await runTool(kubectl(...deleteOf(mark)), options);
  }
}
