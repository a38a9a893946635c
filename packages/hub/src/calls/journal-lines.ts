/** How the journal says what becomes of calls: a line of JSON each, short because there is one for every call. Pure. */
import type { CallEnd, CallerWords } from './call-record.ts';

export interface Begun {
  readonly started: number;
  readonly caller: Readonly<Record<keyof CallerWords, string>>;
  readonly server: string;
  readonly tool: string;
  readonly verdict: string;
  /** It was about to be sent. */
  readonly sent: boolean;
}

export type Ended = CallEnd & { readonly ms: number };

/** What follows the id in a line, as `beginLine` and `endLine` write it. */
type BegunWords = [
  ...[started: number, bearer: string, agent: string, session: string],
  ...[server: string, tool: string, verdict: string, sent: boolean],
  // Absent in lines of earlier versions.
  ...[person?: string, surface?: string, project?: string],
];
type EndedWords = [outcome: Ended['outcome'], failed: boolean, code: Ended['code'] | null, bytes: number, ms: number];

export interface Told {
  readonly begun: ReadonlyMap<string, Begun>;
  readonly sent: ReadonlySet<string>;
  readonly ended: ReadonlyMap<string, Ended>;
}

/** The parts of a line that name a caller. Made once for each: there is a line for every call. */
const CALLER_PARTS = new WeakMap<Begun['caller'], { readonly head: string; readonly tail: string }>();

export function beginLine(id: string, { started, caller, server, tool, verdict, sent }: Begun): string {
  const { head, tail } = partsOf(caller);
  const called = `${JSON.stringify(server)},${JSON.stringify(tool)},${JSON.stringify(verdict)},${sent}`;
  return `["begun","${id}",${started},${head},${called},${tail}]\n`;
}

function partsOf(caller: Begun['caller']): { readonly head: string; readonly tail: string } {
  const known = CALLER_PARTS.get(caller);
  if (known) return known;
  const { bearer, agent, session, person, surface, project } = caller;
  const written = (words: readonly string[]): string => words.map(word => JSON.stringify(word)).join();
  const tail = project === '' ? [person, surface] : [person, surface, project];
  const parts = { head: written([bearer, agent, session]), tail: written(tail) };
  CALLER_PARTS.set(caller, parts);
  return parts;
}

export function sentLine(id: string): string {
  return `["sent","${id}"]\n`;
}

export function endLine(id: string, { outcome, failed, code, bytes }: CallEnd, ms: number): string {
  return `["ended","${id}","${outcome}",${failed},${JSON.stringify(code ?? null)},${bytes},${ms}]\n`;
}

export function readLines(journal: string): Told {
  const begun = new Map<string, Begun>();
  const sent = new Set<string>();
  const ended = new Map<string, Ended>();
  for (const line of journal.split('\n')) {
    const [kind, id, ...rest] = parse(line);
    if (typeof id !== 'string') continue;
    if (kind === 'sent') sent.add(id);
    else if (kind === 'begun') {
      const [started, bearer, agent, session, server, tool, verdict, wasSent, ...who] = rest as BegunWords;
      const [person = '', surface = '', project = ''] = who;
      const caller = { bearer, agent, session, person, surface, project };
      begun.set(id, { started, caller, server, tool, verdict, sent: wasSent });
      if (wasSent) sent.add(id);
    } else if (kind === 'ended') {
      const [outcome, failed, code, bytes, ms] = rest as EndedWords;
      ended.set(id, { outcome, failed, code: code ?? undefined, bytes, ms });
    }
  }
  return { begun, sent, ended };
}

/** The last line may be half written. */
function parse(line: string): readonly unknown[] {
  try {
    const said: unknown = line === '' ? [] : JSON.parse(line);
    return Array.isArray(said) ? said : [];
  } catch {
    return [];
  }
}
