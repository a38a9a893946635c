/** One thing wrong in a config file, with all a person needs to mend it. */
export interface Problem {
  /** The file, the variable, or `(overrides)`. */
  readonly file: string;
  /** 1-based; absent for values that came from no file. */
  readonly line?: number;
  /** Counted from 1. */
  readonly column?: number;
  /** Where inside, as `servers.fs.args[0]`. */
  readonly path: string;
  /** The sentence, ending with a full stop. */
  readonly message: string;
  /** What stands there. */
  readonly found?: string;
  /** What could stand there. */
  readonly expected?: string;
  /** How to mend it, as a sentence. */
  readonly fix?: string;
  /** The server that cannot be used because of it; absent when the whole file cannot. */
  readonly server?: string;
}

/** What is wrong, before its place is known. */
export type FoundProblem = Omit<Problem, 'file' | 'line' | 'column' | 'path'>;

/** `junctor.json:12:5 servers.fs: Missing 'command' in stdio server 'fs'. Add …` */
export function describeProblem(problem: Problem): string {
  const place = problem.line === undefined ? problem.file : `${problem.file}:${problem.line}:${problem.column ?? 1}`;
  const where = problem.path ? `${place} ${problem.path}` : place;
  return `${where}: ${problem.message}${problem.fix ? ` ${problem.fix}` : ''}`;
}

/** `Take it again.` as what stands after `try:`. */
export function fixAsHint(fix: string): string {
  return `${fix.charAt(0).toLowerCase()}${fix.slice(1).replace(/\.$/, '')}`;
}

/** `['servers', 'fs', 'args', 0]` → `servers.fs.args[0]`. */
export function formatPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += text ? `.${String(step)}` : String(step);
  }
  return text;
}
