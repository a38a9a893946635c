/** Labels on the containers that we make, by which those of a Junctor that is gone are found. */
import { hostname } from 'node:os';
import type { Program } from '../process/find-command.ts';
import { isOwnerAlive, ownerOf } from '../process/launch-mark.ts';
import { runTool, type ToolOptions } from './run-tool.ts';

/** Others may use the same daemon from their machine: nobody here can tell whether they still live. */
export function labelsOf(server: string, mark: string): string[] {
  return [`junctor.server=${server}`, `junctor.launch=${mark}`, `junctor.machine=${hostname()}`];
}

/** Removes containers whose Junctor was killed together with all that would have removed them. */
export async function removeAbandoned(
  docker: (...words: string[]) => Program,
  options: Pick<ToolOptions, 'environment' | 'signal'>,
): Promise<void> {
  const ours = `label=junctor.machine=${hostname()}`;
  const format = '{{.ID}} {{.Label "junctor.launch"}}';
  const { code, output } = await runTool(docker('ps', '--all', '--filter', ours, '--format', format), options);
  if (code !== 0) return;
  const abandoned: string[] = [];
  for (const line of output.split('\n')) {
    const [id = '', mark = ''] = line.split(' ');
    const owner = ownerOf(mark);
    if (owner && !(await isOwnerAlive(owner))) abandoned.push(id);
  }
  if (abandoned.length > 0) await runTool(docker('rm', '--force', ...abandoned), options);
}
