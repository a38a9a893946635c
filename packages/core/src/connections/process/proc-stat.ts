/** What Linux tells of a process in the one line of /proc/…/stat. */
export interface ProcStat {
  /** The process group it is in. */
  readonly group: number;
  /** When it began, in the ticks of this system since that was started. */
  readonly began: number;
}

/** The 5th and 22nd field, counted from behind the name in brackets, which may itself hold spaces and brackets. */
const GROUP = 2;
const BEGAN = 19;

/** Undefined for a process that is gone, or only waits for somebody to read its exit code. */
export function readStat(line: string): ProcStat | undefined {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  if (line === '' || fields[0] === 'Z' || fields[0] === 'X') return undefined;
  return { group: Number(fields[GROUP]), began: Number(fields[BEGAN]) };
}
