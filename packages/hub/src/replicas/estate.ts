/**
 * What a hub that is gone leaves behind: its sessions may be taken up by any hub, questions whose calls waited there are over,
 * and calls that were under way get a definite outcome from its journal, where that lies on this machine. A journal on
 * another machine is read when a hub starts there again.
 */
import { hostname } from 'node:os';
import { readJournal } from '../calls/journal.ts';
import type { Records } from '../calls/records.ts';
import { recoveredCalls } from '../calls/recovery.ts';
import type { ApprovalRows } from '../store/approval-rows.ts';
import { isListening } from '../store/hub-file.ts';
import { socketPlace } from '../store/socket-place.ts';
import type { ApprovalRow } from '../store/tables.ts';
import type { Peer, Register } from './register.ts';

export interface EstateOptions {
  readonly records: Records;
  readonly approvalRows: ApprovalRows;
  /** Tells whoever listens. */
  readonly emit: (event: { readonly type: string }) => void;
}

const GONE = 'the hub where its call waited is gone';

export function settleEstates(register: Register, { records, approvalRows, emit }: EstateOptions): void {
  let expired: readonly ApprovalRow[] = [];
  register.whenGone({
    async free(change, { id }) {
      // What an earlier life of this hub left was put in order when it started.
      if (id === register.id) return;
      await records.sessionRows.closeAll(id, change);
      expired = await approvalRows.expireAll(change, id, GONE);
    },
    async after(gone) {
      if (gone.id === register.id) return;
      for (const row of expired) emit(answered(row));
      expired = [];
      if (await leftItsJournalHere(gone)) await records.adopt(recoveredCalls(readJournal(gone.data_directory)));
    },
  });
}

/** One that only stands still still holds its pipe, and writes its calls itself once it goes on. */
async function leftItsJournalHere({ machine, data_directory }: Peer): Promise<boolean> {
  return machine === hostname() && !(await isListening(await socketPlace(data_directory)));
}

function answered({ id, agent, session, server, tool }: ApprovalRow): { readonly type: string } {
  const about = { approval_id: id, server, tool, ...(agent && { agent }), ...(session && { session }) };
  return { type: 'approval-answered', ...about, outcome: 'expired', note: GONE } as { type: string };
}
