/** What a hub was started with, as far as people may see it. */
import type { ProgramCommand } from '@junctor/core/config-write';
import type { HubCommands } from '../commands.ts';
import type { Store } from '../store/store.ts';

export interface HubFacts {
  readonly started: Date;
  readonly store: Pick<Store, 'kind' | 'place'>;
  readonly dataDirectory: string;
  /** What starts Junctor on this machine. */
  readonly program: ProgramCommand;
  readonly commands: HubCommands;
  readonly issuer: string | undefined;
  readonly publicUrl: string | undefined;
  readonly limits: {
    readonly maxInstances: number;
    readonly instanceIdleMs: number;
    readonly approvalWaitMs: number;
    readonly keepCallsMs: number;
    readonly graceMs: number;
    readonly maxRatePerSecond: number | undefined;
  };
}
