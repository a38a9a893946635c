/** What a host decides calls by, besides its rules: open questions, grants, and lockfiles. */
import type { Bus } from '../base/bus.ts';
import { isJunctorError } from '../base/error.ts';
import type { Log } from '../base/log/log.ts';
import { maskArguments } from '../base/log/mask-arguments.ts';
import type { Redactor } from '../base/log/redact.ts';
import { systemClock } from '../base/time/clock.ts';
import { leftOutByConfig, notListed } from '../calls/no-such-tool.ts';
import type { ToolDefinition } from '../catalogue/entry.ts';
import type { LoadedServer } from '../config/layers.ts';
import { dataDirectory, ownSurroundings } from '../config/sources/places.ts';
import { Approvals } from '../permissions/approvals.ts';
import type { AuthorizeDeps, ToolLookup } from '../permissions/authorize.ts';
import type { ToolRef } from '../permissions/caller.ts';
import { type Denied, deniedByLockfile } from '../permissions/decision.ts';
import { Grants } from '../permissions/grants/grants.ts';
import { GrantsFile } from '../permissions/grants/grants-file.ts';
import type { ToolLock } from '../permissions/lockfile/tool-lock.ts';
import type { Gate } from '../permissions/verdict.ts';
import type { ResolvedServer } from '../resolve/roster.ts';
import type { HostEvent } from './events.ts';
import type { HostOptions } from './host-options.ts';
import type { Offer } from './lists/offer.ts';

export interface PermissionDesk {
  readonly options: HostOptions;
  readonly events: Bus<HostEvent>;
  readonly redactor: Redactor;
  readonly log: Log;
  readonly offer: Offer;
  readonly serverOf: (id: string) => LoadedServer | undefined;
  /** The server as it runs; throws where it may not. */
  readonly expect: (id: string) => ResolvedServer;
}

/** Long enough to come back from the next room; an agent that waits longer has given up itself. */
const DEFAULT_WAIT_MS = 5 * 60_000;

export type { HostPermissions };

/** By a function, so that the build can load all of this with the first call: see scripts/seldom.mjs. */
export function openPermissions(desk: PermissionDesk): HostPermissions {
  return new HostPermissions(desk);
}

class HostPermissions implements ToolLookup {
  readonly approvals: Approvals;
  readonly grants: Grants;
  readonly #offer: Offer;
  readonly #expect: PermissionDesk['expect'];

  constructor(desk: PermissionDesk) {
    this.approvals = openApprovals(desk);
    this.grants = openGrants(desk);
    this.#offer = desk.offer;
    this.#expect = desk.expect;
  }

  /** What `authorize` decides by, with the rules and the lockfiles of one config. */
  deps({ gate, lock }: { readonly gate: Gate; readonly lock: ToolLock }): AuthorizeDeps {
    return {
      absent: ref => this.#absent(ref),
      locked: lock.isEmpty ? undefined : ref => this.locked(lock, ref),
      judge: ({ ref, arguments: args, caller }) => gate.judge(ref.server, ref.tool, args, caller.agent),
      approvals: this.approvals,
      grants: this.grants,
      tools: this,
    };
  }

  /** A tool that the config leaves out, or that its server does not list, does not exist. At once where the list is known. */
  #absent(ref: ToolRef): Denied | Promise<Denied | undefined> | undefined {
    const server = this.#expect(ref.server);
    if (server.filtered && !server.offers(ref.tool)) return leftOutByConfig(ref);
    return this.#offer.lists(ref.server, ref.tool) ? undefined : this.#unlisted(ref);
  }

  /** Only names on the server's own list are ever forwarded: rules and lockfiles are about those. */
  async #unlisted(ref: ToolRef): Promise<Denied | undefined> {
    // Reading a list does no harm twice: a connection that is lost meanwhile is opened once more, as for a call.
    const tools = await this.#offer.listed(ref.server).catch(error => {
      if (isJunctorError(error, 'connection_lost')) return this.#offer.listed(ref.server);
      throw error;
    });
    const names = tools.map(({ name }) => name);
    if (names.includes(ref.tool)) return undefined;
    return notListed(ref, names);
  }

  /** What is known of a tool without asking its server. */
  known({ server, tool }: ToolRef): ToolDefinition | undefined {
    return this.#offer.known(server, tool);
  }

  /** What its server says of it now. */
  async listed({ server, tool }: ToolRef): Promise<ToolDefinition | undefined> {
    const { tools, confirmed } = await this.#offer.sifted(server).catch(() => ({ tools: [], confirmed: false }));
    return confirmed ? tools.find(({ name }) => name === tool) : undefined;
  }

  /** Why nobody may call this tool. Undefined at once where no lockfile concerns its server. */
  locked(lock: ToolLock, ref: ToolRef): Promise<Denied | undefined> | undefined {
    const file = lock.fileOf(ref.server);
    return file === undefined ? undefined : this.#whyLocked(file, ref);
  }

  async #whyLocked(file: string, ref: ToolRef): Promise<Denied | undefined> {
    const { server, tool } = ref;
    const { tools, hidden, confirmed } = await this.#offer.sifted(server);
    if (confirmed && tools.some(({ name }) => name === tool)) return undefined;
    const found = hidden.find(({ name }) => name === tool);
    const unsure = confirmed ? 'the server does not list it' : 'the server cannot say what the tool is now';
    return deniedByLockfile(ref, { file, why: found?.because ?? unsure, approve: found?.approve });
  }
}

/** More than an agent has in flight; few enough that a person can read them. */
const MAX_OPEN_PER_OWNER = 50;

function openApprovals({ options, events, redactor }: PermissionDesk): Approvals {
  return new Approvals({
    clock: options.clock ?? systemClock,
    waitMs: options.approvals?.waitMs ?? DEFAULT_WAIT_MS,
    maxOpenPerOwner: MAX_OPEN_PER_OWNER,
    attended: options.approvals !== undefined && options.approvals.attended !== false,
    newId: () => crypto.randomUUID(),
    mask: args => maskArguments(args, text => redactor.mask(text)),
    onRequested: ({ id, since, expires, ...question }) =>
      events.emit({
        type: 'approval-requested',
        approval_id: id,
        ...question,
        since: since.toISOString(),
        ...(expires ? { expires: expires.toISOString() } : {}),
      }),
    onAnswered: ({ id, server, tool, session, agent, person }, { outcome, by, note }) =>
      events.emit({
        type: 'approval-answered',
        approval_id: id,
        server,
        tool,
        ...(session === undefined ? {} : { session }),
        ...(agent === undefined ? {} : { agent }),
        ...(person === undefined ? {} : { person }),
        outcome,
        ...(by === undefined ? {} : { by }),
        ...(note === undefined ? {} : { note }),
      }),
  });
}

function openGrants({ options, log, serverOf }: PermissionDesk): Grants {
  const file = options.grants ?? new GrantsFile(dataDirectory(options.surroundings ?? ownSurroundings(), options.data));
  return new Grants({ file, log, serverOf, session: options.session });
}
