/** What a host decides calls by, besides its rules: open questions, grants, and lockfiles. */
import type { Bus } from './base/bus.ts';
import { systemClock } from './base/clock.ts';
import { JunctorError } from './base/error.ts';
import type { Log } from './base/log.ts';
import { maskArguments } from './base/mask-arguments.ts';
import type { Redactor } from './base/redact.ts';
import type { ToolRef } from './call/call.ts';
import type { PermissionRooms, ToolLookup } from './call/permission.ts';
import type { ToolDefinition } from './catalogue/entry.ts';
import type { LoadedServer } from './config/layers.ts';
import { dataDirectory, ownSurroundings } from './config/places.ts';
import type { HostEvent } from './events.ts';
import { Approvals } from './gate/approvals.ts';
import type { ToolLock } from './gate/tool-lock.ts';
import type { Gate } from './gate/verdict.ts';
import { Grants } from './grants.ts';
import { GrantsFile } from './grants-file.ts';
import type { HostOptions } from './host-options.ts';
import type { Offer } from './offer.ts';

export interface PermissionDesk {
  readonly options: HostOptions;
  readonly events: Bus<HostEvent>;
  readonly redactor: Redactor;
  readonly log: Log;
  readonly offer: Offer;
  readonly serverOf: (id: string) => LoadedServer | undefined;
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

  constructor(desk: PermissionDesk) {
    this.approvals = openApprovals(desk);
    this.grants = openGrants(desk);
    this.#offer = desk.offer;
  }

  rooms(gate: Gate): PermissionRooms {
    return { gate, approvals: this.approvals, grants: this.grants, tools: this };
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
  withheld(lock: ToolLock, ref: ToolRef): Promise<JunctorError | undefined> | undefined {
    const file = lock.fileOf(ref.server);
    return file === undefined ? undefined : this.#whyWithheld(file, ref);
  }

  async #whyWithheld(file: string, { server, tool }: ToolRef): Promise<JunctorError | undefined> {
    const { tools, hidden, confirmed } = await this.#offer.sifted(server);
    if (confirmed && tools.some(({ name }) => name === tool)) return undefined;
    const found = hidden.find(({ name }) => name === tool);
    const unsure = confirmed ? 'the server does not list it' : 'the server cannot say what the tool is now';
    return new JunctorError('tool_locked', `The tool '${tool}' on server '${server}' is not approved in ${file}.`, {
      server,
      why: found?.because ?? unsure,
      hint: 'look at what changed: inspectLock(host, options), then: approveLock(inspection, changes)',
      command: `look at what changed: junctor lock diff${found ? `, then: junctor lock approve ${found.approve}` : ''}`,
    });
  }
}

function openApprovals({ options, events, redactor }: PermissionDesk): Approvals {
  return new Approvals({
    clock: options.clock ?? systemClock,
    waitMs: options.approvals?.waitMs ?? DEFAULT_WAIT_MS,
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
    onAnswered: ({ id, server, tool, session, agent }, { outcome, by, note }) =>
      events.emit({
        type: 'approval-answered',
        approval_id: id,
        server,
        tool,
        ...(session === undefined ? {} : { session }),
        ...(agent === undefined ? {} : { agent }),
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
