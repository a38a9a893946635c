/** How the journal says what becomes of calls: a line of JSON each, short because there is one for every call. Pure. */
import type { CallEnd } from './call-record.ts';

export interface Begun {
  readonly started: number;
  readonly bearer: string;
  readonly agent: string;
  readonly session: string;
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
];
type EndedWords = [outcome: Ended['outcome'], failed: boolean, code: Ended['code'] | null, bytes: number, ms: number];

export interface Told {
  readonly begun: ReadonlyMap<string, Begun>;
  readonly sent: ReadonlySet<string>;
  readonly ended: ReadonlyMap<string, Ended>;
}

export function beginLine(id: string, call: Begun): string {
  const { started, bearer, agent, session, server, tool, verdict, sent } = call;
  return `${JSON.stringify(['begun', id, started, bearer, agent, session, server, tool, verdict, sent])}\n`;
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
      const [started, bearer, agent, session, server, tool, verdict, wasSent] = rest as BegunWords;
      begun.set(id, { started, bearer, agent, session, server, tool, verdict, sent: wasSent });
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
