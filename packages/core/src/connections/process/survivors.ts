import { spawn } from 'node:child_process';
import { LAUNCH_VARIABLE, type ProcessTable } from './process-table.ts';

export interface Family {
  /** The leader's process id, which is its group's id too. */
  readonly leader: number;
  readonly mark: string;
}

/** The processes of a family that still run. Zombies do not: they only wait for somebody to read their exit code. */
export async function survivors(family: Family, processes: ProcessTable): Promise<number[]> {
  const running = await processes.look();
  // Where nobody can be looked up, not even on Linux for want of file handles, the group has to do.
  if (!running) return groupRuns(family.leader) ? [family.leader] : [];
  const mark = `${LAUNCH_VARIABLE}=${family.mark}`;
  return running
    .filter(({ group, environment }) => group === family.leader || environment.includes(mark))
    .map(({ pid }) => pid);
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

function groupRuns(leader: number): boolean {
  try {
    process.kill(process.platform === 'win32' ? leader : -leader, 0);
    return true;
  } catch {
    return false;
  }
}
