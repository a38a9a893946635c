/** What all rooms of one hub stand on. */
import type { Host, JunctorError, ToolRef } from '@junctor/core';
import { mayRepeat } from '@junctor/core/inside';
import type { Permits } from '../approvals/permits.ts';
import type { DoorNotes } from '../calls/door-notes.ts';
import type { ParkedCalls } from '../relay/eras/parked-calls.ts';
import type { Instances } from '../relay/instances.ts';

export interface House {
  readonly host: Host;
  readonly instances: Instances;
  readonly parked: ParkedCalls;
  /** Asks about calls that no rule decides about. */
  readonly permits: Permits;
  /** Where calls and sessions are written down. */
  readonly notes: DoorNotes;
}

/**
 * Whether a call that failed on its way may be sent once more: it cannot have run, or does no harm twice. A new connection may
 * lead to another version of the server, in which nobody approved the tool.
 */
export function repeatIn({ host }: House, ref: ToolRef): (error: JunctorError) => Promise<boolean> {
  return async error => {
    if (!mayRepeat(error, () => host.repeatable(ref))) return false;
    return (await host.withheld(ref)?.catch(() => error)) === undefined;
  };
}
