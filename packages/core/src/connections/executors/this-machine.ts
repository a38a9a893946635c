/** Whose something is that stands elsewhere: told by its labels, to whoever finds it later. */
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { isOwnerAlive, ownerOf } from '../process/launch-mark.ts';

/** On everything that we make elsewhere. */
export const MACHINE_LABEL = 'junctor.machine';
export const LAUNCH_LABEL = 'junctor.launch';

/**
 * Where the process ids of ours mean something. A name alone is not enough: many machines are called `ubuntu`, and a container
 * may be called as the machine around it. What one of them made would be taken for abandoned by the other, and removed.
 */
export function thisMachine(): string {
  const known = [hostname(), told(() => readFileSync('/etc/machine-id', 'utf8')), told(() => readlinkSync(OUR_PIDS))];
  // As a label may say it, and so that nobody learns the id of the machine, which is not for others.
  return createHash('sha256').update(known.join('\n')).digest('hex').slice(0, 32);
}

/** Whether the Junctor of this machine that made it is gone. */
export async function isAbandoned(mark: string): Promise<boolean> {
  const owner = ownerOf(mark);
  return owner !== undefined && !(await isOwnerAlive(owner));
}

const OUR_PIDS = '/proc/self/ns/pid';

function told(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
