/** Labels on the containers that we make, by which those of a Junctor that is gone are found. */
import type { Program } from '../../process/find-command.ts';
import { runTool, type ToolOptions } from '../run-tool.ts';
import { isAbandoned, LAUNCH_LABEL, MACHINE_LABEL, thisMachine } from '../this-machine.ts';

/** Others may use the same daemon from their machine: nobody here can tell whether they still live. */
export function labelsOf(server: string, mark: string): string[] {
  return [`junctor.server=${server}`, `${LAUNCH_LABEL}=${mark}`, `${MACHINE_LABEL}=${thisMachine()}`];
}

/** Removes containers whose Junctor was killed together with all that would have removed them. */
export async function removeAbandoned(
  docker: (...words: string[]) => Program,
  options: Pick<ToolOptions, 'environment' | 'signal'>,
): Promise<void> {
  const ours = `label=${MACHINE_LABEL}=${thisMachine()}`;
  const format = `{{.ID}} {{.Label "${LAUNCH_LABEL}"}}`;
  const { code, output } = await runTool(docker('ps', '--all', '--filter', ours, '--format', format), options);
  if (code !== 0) return;
  const abandoned: string[] = [];
  for (const line of output.split('\n')) {
    const [id = '', mark = ''] = line.split(' ');
    if (await isAbandoned(mark)) abandoned.push(id);
  }
  if (abandoned.length > 0) await runTool(docker('rm', '--force', ...abandoned), options);
}
