import type { JunctorError } from '../../base/error.ts';
import type { Snapshot } from '../../catalogue/snapshot.ts';
import type { Grant } from '../../permissions/grants/grant.ts';
import type { Gate } from '../../permissions/verdict.ts';
import type { Resolution } from '../../resolve/resolve.ts';
import type { Because, Written } from './left-out.ts';

/** What has to be known to explain a tool, however it was found out. */
export interface ToolFacts {
  readonly written: Written;
  /** For the agent and the executor that are asked about. */
  readonly resolution: Resolution;
  /** What servers offer, as the agent's client reads it. */
  readonly snapshot: Snapshot;
  /** Servers of which nobody knows what they offer, and why. */
  readonly unasked: ReadonlyMap<string, string>;
  readonly failures: ReadonlyMap<string, JunctorError>;
  readonly gate: Gate;
  readonly grants: readonly Grant[];
  readonly lockfileOf: (server: string) => string | undefined;
  /** Why a tool that is offered has to be searched for; undefined where it is listed. */
  readonly deferred?: ((server: string) => Because | undefined) | undefined;
}
