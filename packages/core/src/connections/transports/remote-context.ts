import type { ClientRequest } from 'node:http';
import type { Scope } from '../../base/scope.ts';
import type { Credentials } from '../auth/credentials.ts';

/** What every remote transport is given beside the address. */
export interface RemoteContext {
  /** Ends what is opened. */
  readonly scope: Scope;
  /** Gives up opening. */
  readonly signal: AbortSignal;
  /** How often a quiet connection is kept open with a sign. */
  readonly keepAliveMs: number;
  /** Sees every request go out, where somebody wants to follow them. */
  readonly watch?: ((request: ClientRequest, headers: Readonly<Record<string, unknown>>) => void) | undefined;
  /** Variables that may name a proxy. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where signing in is possible at all. */
  readonly credentials: Credentials | undefined;
}
