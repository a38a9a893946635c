/** What all rooms of one hub stand on. */
import type { Host, JunctorError, ToolRef } from '@junctor/core';
import type { RepeatGuard } from '@junctor/core/internal';
import type { Permits } from '../approvals/permits.ts';
import type { DoorNotes } from '../calls/door-notes.ts';
import type { ParkedCalls } from '../relay/eras/parked-calls.ts';
import type { Instances } from '../relay/instances.ts';
import type { HubTasks } from '../relay/tasks/hub-tasks.ts';

export interface House {
  readonly host: Host;
  /** The folder of the project whose servers these are; undefined where they belong to none. */
  readonly project: string | undefined;
  readonly instances: Instances;
  readonly parked: ParkedCalls;
  /** Calls that run as tasks, and whose they are. */
  readonly tasks: HubTasks;
  /** Asks about calls that no rule decides about. */
  readonly permits: Permits;
  /** Where calls and sessions are written down. */
  readonly notes: DoorNotes;
}

/** Whether a call of this tool may be repeated, as its host knows. A class, since each call makes one: closures cost more. */
export class HostGuard implements RepeatGuard {
  readonly #host: Host;
  readonly #ref: ToolRef;

  constructor({ host }: House, ref: ToolRef) {
    this.#host = host;
    this.#ref = ref;
  }

  safeToRepeat(): boolean {
    return this.#host.repeatable(this.#ref);
  }

  withheld(): Promise<JunctorError | undefined> | undefined {
    return this.#host.withheld(this.#ref);
  }
}
