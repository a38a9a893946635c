/** What an earlier life of the hub left in its journal, as calls that are over: each has a definite outcome. Pure. */
import type { CallRow } from '../store/tables.ts';

type Begun = Pick<CallRow, 'call_id' | 'bearer' | 'agent' | 'session' | 'server' | 'tool' | 'started' | 'bytes_in'>;
type Ended = Pick<CallRow, 'outcome' | 'ms' | 'verdict' | 'because'> & {
  readonly ended: string;
  readonly failed: boolean;
  readonly code?: string;
  readonly bytes: number;
};

export function recoveredCalls(journal: string): CallRow[] {
  const begun = new Map<string, Begun>();
  const sent = new Set<string>();
  const ended = new Map<string, Ended>();
  for (const line of journal.split('\n')) {
    const said = parse(line);
    if (typeof said?.call_id === 'string') begun.set(said.call_id, said as unknown as Begun);
    else if (typeof said?.sent === 'string') sent.add(said.sent);
    else if (typeof said?.ended === 'string') ended.set(said.ended, said as unknown as Ended);
  }
  return [...begun.values()].map(call => ({ ...call, ...endOf(call.call_id, sent, ended), arguments: null }));
}

function endOf(id: string, sent: ReadonlySet<string>, ended: ReadonlyMap<string, Ended>) {
  const end = ended.get(id);
  if (end) {
    const { outcome, ms, verdict, because, failed, code = null, bytes } = end;
    return { outcome, ms, verdict, because, failed: failed ? 1 : 0, code, bytes_out: bytes };
  }
  // Written before it was sent: a call without this line never left.
  const outcome = sent.has(id) ? 'unknown' : 'not_sent';
  return { outcome, ms: 0, verdict: '', because: 'the hub ended', failed: 1, code: 'connection_lost', bytes_out: 0 };
}

/** The last line may be half written. */
function parse(line: string): Record<string, unknown> | undefined {
  try {
    return line === '' ? undefined : (JSON.parse(line) as Record<string, unknown>);
  } catch {
    return undefined;
  }
}
