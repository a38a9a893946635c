/** What an earlier life of the hub left in its journal, as calls that are over: each has a definite outcome. Pure. */
import type { CallRow } from '../store/tables.ts';
import { readLines } from './journal-lines.ts';

export function recoveredCalls(journal: string): CallRow[] {
  const { begun, sent, ended } = readLines(journal);
  return [...begun].map(([call_id, call]) => {
    const { caller, server, tool, verdict, started } = call;
    const { bearer, agent, person, surface, project, session } = caller;
    // It stands there before it is sent: a call without that never left.
    const outcome = sent.has(call_id) ? 'unknown' : 'not_sent';
    const lost = { outcome, failed: true, code: 'connection_lost', bytes: 0, ms: 0 } as const;
    const end = ended.get(call_id) ?? lost;
    return {
      call_id,
      bearer,
      agent,
      person,
      surface,
      project,
      session,
      server,
      tool,
      verdict,
      because: end === lost ? 'the hub ended' : '',
      started,
      ms: end.ms,
      bytes_in: 0,
      bytes_out: end.bytes,
      outcome: end.outcome,
      failed: end.failed ? 1 : 0,
      code: end.code ?? null,
      arguments: null,
    };
  });
}
