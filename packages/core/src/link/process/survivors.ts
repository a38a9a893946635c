import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';

/** Set in every server's environment: finds its descendants even after they changed group or lost their parent. */
export const LAUNCH_VARIABLE = 'JUNCTOR_LAUNCH';

export interface Family {
  /** The leader's process id, which is its group's id too. */
  readonly leader: number;
  readonly mark: string;
}

/** The processes of a family that still run. Zombies do not: they only wait for somebody to read their exit code. */
export async function survivors(family: Family): Promise<number[]> {
  // Where nobody can be looked up, not even on Linux for want of file handles, the group has to do.
  const entries = process.platform === 'linux' ? await readdir('/proc').catch(() => undefined) : undefined;
  if (!entries) return groupRuns(family.leader) ? [family.leader] : [];
  const found = await Promise.all(entries.map(entry => belongs(entry, family)));
  return found.filter(pid => pid !== undefined);
}

/** Sends a signal to the whole group, and to each member that left it. */
export function signalFamily(family: Family, members: readonly number[], signal: NodeJS.Signals): void {
  if (process.platform === 'win32') return endTree(family.leader);
  for (const target of [-family.leader, ...members]) {
    try {
      process.kill(target, signal);
    } catch {
      // Gone already: that is what was wanted.
    }
  }
}

/** Windows has neither groups nor signals; its own program ends a process and what that started. */
function endTree(leader: number): void {
  const ending = spawn('taskkill', ['/pid', String(leader), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
  ending.on('error', () => {
    try {
      process.kill(leader);
    } catch {
      // Gone already.
    }
  });
}

async function belongs(entry: string, family: Family): Promise<number | undefined> {
  const pid = Number(entry);
  if (!Number.isInteger(pid)) return undefined;
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  // The name in brackets may itself hold spaces and brackets: fields are counted from the last one.
  const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === undefined || state === '' || state === 'Z' || state === 'X') return undefined;
  if (Number(group) === family.leader) return pid;
  const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
  return environment.includes(`${LAUNCH_VARIABLE}=${family.mark}`) ? pid : undefined;
}

function groupRuns(leader: number): boolean {
  try {
    process.kill(process.platform === 'win32' ? leader : -leader, 0);
    return true;
  } catch {
    return false;
  }
}
