/** What the servers of a host offer: tools, resources and prompts, and which servers are missing from these lists. */
import type { JunctorError } from '../base/error.ts';
import type { Entry, ToolDefinition } from '../catalogue/entry.ts';
import type { FitReport } from '../catalogue/fit-report.ts';
import type { InstanceLists, InstanceListsOptions } from '../catalogue/lists/instance-lists.ts';
import type { Snapshot } from '../catalogue/snapshot.ts';
import { patienceFor, type ToolView, type ToolViews } from '../catalogue/tool-views.ts';
import type { ServerInstructions } from '../catalogue/untrusted/instructions.ts';
import type { Link } from '../connections/link.ts';
import type { Links } from '../connections/links.ts';
import type { ToolRef } from '../permissions/caller.ts';
import { troubledServers } from '../resolve/availability.ts';
import type { ConfigInForce } from './config/config-in-force.ts';
import type { Offer, SnapshotWait } from './lists/offer.ts';
import type { OtherLists } from './lists/other-lists.ts';
import type { ServerInfo, ServerInfoOptions } from './server-info.ts';

export type { ServerInstructions };

/** A server that cannot be used, and why. */
export interface ServerFailure {
  /** Its id in the config. */
  readonly server: string;
  /** What is wrong with it; `hint` says what to do. */
  readonly error: JunctorError;
}

export interface HostCatalogueDeps {
  readonly config: ConfigInForce;
  readonly links: Links;
  readonly offer: Offer;
  readonly views: ToolViews;
}

/** Under whose view a tool is missing, and of which servers. */
export interface MissingToolView extends ToolView {
  /** Ids of the servers the caller may know of. Default: all. */
  readonly servers?: readonly string[] | undefined;
}

export class HostCatalogue {
  readonly #deps: HostCatalogueDeps;

  constructor(deps: HostCatalogueDeps) {
    this.#deps = deps;
  }

  /** Resources, templates and prompts. Throws once the host is closed: what was known of its servers is no answer any more. */
  get openLists(): OtherLists {
    this.#deps.links.expectOpen();
    return this.#deps.offer.others;
  }

  /** What a public name means that was given out, without waiting. */
  find(name: string): Entry | undefined {
    return this.#deps.offer.find(name);
  }

  /** What a public name means that was not given out yet. Opens only the server it is of, and throws that server's reason. */
  async locate(name: string, signal: AbortSignal | undefined): Promise<ToolRef> {
    const { findTool } = await import('./lists/find-tool.ts');
    return findTool({ ...this.#deps, catalogue: this }, name, signal);
  }

  /** The tool that would have this public name, did a lockfile not hide it. */
  async hidden(name: string, { servers, ...view }: MissingToolView): Promise<ToolRef | undefined> {
    const { config, links } = this.#deps;
    if (config.lock.isEmpty) return undefined;
    const { hiddenNamed } = await import('./lists/find-tool.ts');
    const snapshot = await this.snapshot({ ...view, servers, known: true, patienceMs: 0 });
    return hiddenNamed(name, snapshot, await this.#deps.views.of(view), links.ids);
  }

  async whyUnavailable(name: string, view: MissingToolView): Promise<JunctorError | undefined> {
    const { whyToolUnavailable } = await import('./lists/find-tool.ts');
    return whyToolUnavailable(this.#deps, name, view);
  }

  async tools({ apps = false, ...view }: ToolView): Promise<readonly Entry[]> {
    const { entries, appOnly } = await this.snapshot(view);
    return apps ? [...entries, ...appOnly.values()] : entries;
  }

  async snapshot({ model, client, naming, ...wait }: SnapshotWait & ToolView = {}): Promise<Snapshot> {
    const { links, views, offer } = this.#deps;
    links.expectOpen();
    const view = await views.of({ model, client, naming });
    const patienceMs = wait.again ? wait.patienceMs : patienceFor(view, wait.patienceMs);
    return offer.snapshot(view, patienceMs === undefined ? wait : { ...wait, patienceMs });
  }

  async shelve(server: string, tools: readonly ToolDefinition[], view: ToolView): Promise<readonly Entry[]> {
    return this.#deps.offer.shelve(server, tools, await this.#deps.views.of(view));
  }

  instanceLists(options: Omit<InstanceListsOptions<Link>, 'tools'>): InstanceLists<Link> {
    return this.#deps.offer.ofInstance(options);
  }

  async describeFit({ model, client, naming, ...wait }: SnapshotWait & ToolView): Promise<FitReport | undefined> {
    const snapshot = await this.snapshot({ model, client, naming, ...wait });
    const { describeFit } = await import('../catalogue/fit-report.ts');
    const only = wait.servers?.length === 1 ? wait.servers[0] : undefined;
    return describeFit(snapshot, await this.#deps.views.of({ model, client, naming }), only);
  }

  async serverInfo(server: string | undefined, options: ServerInfoOptions): Promise<ServerInfo[]> {
    return (await import('./server-info.ts')).serverInfo(this.#deps.links, server, options);
  }

  async instructions(server: string | undefined, options: ServerInfoOptions): Promise<ServerInstructions[]> {
    return (await import('./server-info.ts')).serverInstructions(this.#deps.links, server, options);
  }

  /** Whether a second call of a tool does no harm, as its server says. */
  repeatable(server: string, tool: string): boolean {
    const entry = this.#deps.offer.latest?.entries.find(one => one.server === server && one.tool === tool);
    const { readOnlyHint, idempotentHint } = (entry?.definition.annotations ?? {}) as Record<string, unknown>;
    return readOnlyHint === true || idempotentHint === true;
  }

  failures(): ServerFailure[] {
    const { config, links } = this.#deps;
    const { problems } = config.loaded;
    const facts = { servers: new Set(links.ids), leftOut: config.resolution.leftOut, problems };
    return troubledServers(facts, id => links.state(id));
  }
}
