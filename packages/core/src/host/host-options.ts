/** What an embedding program decides about its host. */

import type { Log, LogTarget } from '../base/log/log.ts';
import type { Redactor } from '../base/log/redact.ts';
import type { NamingChoice } from '../catalogue/tool-views.ts';
import type { LoadMcpConfigOptions } from '../config/load.ts';
import type { ConfigValue } from '../config/schema/written-config.ts';
import type { ConnectionPool } from '../connections/pool.ts';
import type { ClientInfo } from '../connections/protocol/handshake.ts';
import type { Ask } from '../permissions/approvals.ts';
import type { GrantShelf } from '../permissions/grants/grants-file.ts';
import type { ResolveInput } from '../resolve/resolve.ts';
import type { ResolvedServer } from '../resolve/roster.ts';
import type { AnswerOptions } from './answering.ts';
import type { CredentialOptions } from './host-wallet.ts';
import type { CatalogueOptions } from './lists/catalogue-options.ts';

/** What an embedding program decides about its host. All of it may be left out. */
export interface HostOptions
  extends LoadMcpConfigOptions,
    AnswerOptions,
    CatalogueOptions,
    CredentialOptions,
    Pick<ResolveInput, 'agent' | 'executor' | 'session' | 'fromHere'> {
  /**
   * A config as a value, in Junctor's notation or that of another program. With it no file is read unless `path` names one.
   */
  readonly config?: ConfigValue | undefined;
  /** Where tokens, secrets and approvals are kept. Default: `$JUNCTOR_DATA`, else the person's data directory. */
  readonly data?: string | undefined;
  /** How tools are called in public, or how that follows from the config. Default: what the config says, else `mcp__`. */
  readonly naming?: NamingChoice | undefined;
  /** Asks a person about a call that no rule allows. It may answer once, for the session, or for always. */
  readonly ask?: Ask | undefined;
  /**
   * Calls that need a yes wait for it at `host.approvals`, where any surface may answer, and are denied after `waitMs`
   * (default 5 minutes). Without it, or with `attended: false`, only `ask` is asked, and where that is missing, nobody.
   */
  readonly approvals?: { readonly waitMs?: number | undefined; readonly attended?: boolean };
  /** Where what is allowed for always is kept. Default: `grants.json` in the data directory. */
  readonly grants?: GrantShelf | undefined;
  /**
   * What the next steps name that the host itself writes, in `status()`, events and answers to models: `calls` of this
   * library, or `commands` of `junctor`, for a program whose people have that. Default: calls. An error has both.
   */
  readonly nextSteps?: 'calls' | 'commands' | undefined;
  /** Secrets of your own, asked for `${secret:NAME}` before those of the data directory. */
  readonly secrets?: { get(name: string): Promise<string | undefined> };
  /** The lockfile for servers that stand in no file; any other is beside the config file that defines the server. */
  readonly lockfile?: string | undefined;
  /** The name and version by which servers know this program. Default: Junctor's. */
  readonly client?: ClientInfo | undefined;
  /** Where warnings, lost servers and whatever else helps to find a cause are written. Default: nowhere. */
  readonly log?: LogTarget | Log | undefined;
  /** Learns every secret that is resolved for this host. */
  readonly redactor?: Redactor | undefined;
  /** How often in a row a server that cannot be reached is tried. Default: what `health` says, else 5. */
  readonly attempts?: number | undefined;
  /** Whether servers are connected at once or when they are first needed. Default: what `startup` says, else lazy. */
  readonly connect?: 'lazy' | 'eager' | undefined;
  /** The era that is preferred with servers which speak both: for a program that passes answers on as they are. Default: modern. */
  readonly era?: 'legacy' | 'modern' | undefined;
  /** Where servers are reached in place of where the config says: for a program that knows of a hub that has them. */
  readonly reroute?:
    | ((servers: ReadonlyMap<string, ResolvedServer>) => Promise<ReadonlyMap<string, ResolvedServer>>)
    | undefined;
  /** Manages the connections of several hosts in one process: equal servers are connected once. Default: a pool for this host. */
  readonly pool?: ConnectionPool | undefined;
  /** Closes the host, and gives up whatever is being started. */
  readonly signal?: AbortSignal | undefined;
}
