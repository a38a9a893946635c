/** Builds the rooms and owns them. It holds no logic: each question is answered by the room it belongs to. */
import { announced } from './announce.ts';
import { Answering } from './answering.ts';
import { Bus } from './base/bus.ts';
import { JunctorError } from './base/error.ts';
import { Log } from './base/log.ts';
import { Redactor } from './base/redact.ts';
import { type CallOptions, type CallRooms, call, type ToolRef } from './call/call.ts';
import { Heartbeats } from './call/heartbeat.ts';
import { type OwnCall, ownCall } from './call/own-call.ts';
import { type Permission, type PermissionOptions, permit } from './call/permission.ts';
import type { CutOptions } from './call/results.ts';
import { readAnnouncement } from './catalogue/announcement.ts';
import { OWN_TOOLS } from './catalogue/naming/name-rule.ts';
import { memoryFor } from './catalogue-options.ts';
import { newProblems } from './config/diff.ts';
import type { LoadMcpConfigOptions, McpConfigLoadResult } from './config/load.ts';
import { ownSurroundings } from './config/places.ts';
import { describeProblem } from './config/problem.ts';
import type { HostEvent } from './events.ts';
import type { Approvals } from './gate/approvals.ts';
import type { Gate, Verdict } from './gate/verdict.ts';
import { gateFor } from './gate-for.ts';
import type { Grants } from './grants.ts';
import { HostCatalogue } from './host-catalogue.ts';
import type { HostOptions } from './host-options.ts';
import { HostPermissions } from './host-permissions.ts';
import { HostResults } from './host-results.ts';
import type { HostSearch } from './host-search.ts';
import { walletFor } from './host-wallet.ts';
import type { Wallet } from './link/auth/wallet.ts';
import type { RootsSource } from './link/inbound/roots.ts';
import type { SandboxState } from './link/inbound/sandbox-state.ts';
import type { LinkState } from './link/link.ts';
import { Links } from './link/links.ts';
import type { Memory } from './link/memory.ts';
import { untried } from './link/unusable.ts';
import { linkSettings } from './link-settings.ts';
import { logState } from './log-state.ts';
import { Offer } from './offer.ts';
import { otherListsTool } from './other-lists-tools.ts';
import { type Prepared, prepare } from './prepare.ts';
import { compareRosters, type ServerChanges } from './resolve/compare.ts';
import { type Resolution, resolve } from './resolve/resolve.ts';
import type { ResolvedServer } from './resolve/roster.ts';
import type { ResultQuery, ResultReading } from './result/reading/read-artifact.ts';
import type { ToolResult } from './result/tool-result.ts';
import { sandboxPolicyState } from './sandbox-policy.ts';
import { similarName } from './similar-tool.ts';
import { startAll } from './startup.ts';
import { statisticsRows, type ToolStatistics } from './statistics.ts';
import { type ServerStatus, statusOf } from './status.ts';
import { ToolViews } from './tool-view.ts';
import { VERSION } from './version.ts';
import { wordVectorsOnDemand } from './word-vectors-file.ts';

export interface ServerFailure {
  readonly server: string;
  readonly error: JunctorError;
}

export async function createHost(options: HostOptions = {}): Promise<Host> {
  const surroundings = options.surroundings ?? ownSurroundings();
  const redactor = options.redactor ?? new Redactor();
  const again = async (): Promise<Prepared> => {
    const prepared = await prepare({ ...options, ...givenConfig(options), surroundings, redactor });
    if (!options.reroute) return prepared;
    const servers = await options.reroute(prepared.resolution.servers);
    return { ...prepared, resolution: { ...prepared.resolution, servers } };
  };
  const host = new Host(await again(), options, redactor, again);
  if ((options.connect ?? host.loaded.frame.startup?.connect) === 'eager') void host.start();
  return host;
}

/** A program that brings its own config gets that config, not whatever lies in the directory it runs in. */
function givenConfig({ config, overrides, path }: HostOptions): LoadMcpConfigOptions {
  if (config === undefined) return {};
  return { overrides: overrides ?? config, isolated: true, path, withoutDiscovery: true };
}

export class Host extends HostCatalogue implements AsyncDisposable {
  readonly events: Bus<HostEvent> = new Bus();
  readonly links: Links;
  /** What servers are shown as credentials. */
  readonly wallet: Wallet;
  /** What a search knows of the meaning of words, read when it is first asked for. */
  readonly wordVectors: ReturnType<typeof wordVectorsOnDemand> = wordVectorsOnDemand();
  readonly #options: HostOptions;
  readonly #redactor: Redactor;
  readonly #log: Log;
  readonly #prepareAgain: () => Promise<Prepared>;
  readonly #memory: Memory;
  protected readonly offer: Offer;
  protected readonly views: ToolViews;
  /** Life signs of the calls that run. */
  readonly heartbeats: Heartbeats;
  readonly #answering: Answering;
  readonly #permissions: HostPermissions;
  readonly #results: HostResults;
  /** The servers each agent gets, worked out once for each config. */
  #allowed = new Map<string, ReadonlySet<string>>();
  /** Loaded when somebody searches. */
  #search: Promise<HostSearch> | undefined;
  #prepared: Prepared;
  #gate: Gate;

  constructor(prepared: Prepared, options: HostOptions, redactor: Redactor, prepareAgain: () => Promise<Prepared>) {
    super();
    this.#prepared = prepared;
    this.#options = options;
    this.#prepareAgain = prepareAgain;
    this.#redactor = redactor;
    this.#gate = gateFor(prepared.loaded, prepared.resolution);
    this.heartbeats = new Heartbeats(prepared.loaded.frame.health?.heartbeat_ms);
    const log = (options.log ?? silentLog()).wished(prepared.loaded.frame.log?.level);
    this.#log = log;
    for (const problem of prepared.loaded.problems) log.warn(describeProblem(problem));
    this.#answering = new Answering(
      {
        ...options,
        log,
        isTrusted: server => this.server(server)?.trusted ?? false,
        emit: event => this.events.emit(event),
      },
      sandboxPolicyState(prepared.loaded.frame, prepared.resolution),
    );
    this.#memory = memoryFor(options);
    this.wallet = walletFor(options, {
      redactor,
      log,
      onMoreScope: (server, { hint }) => this.events.emit({ type: 'auth-required', server, ...(hint ? { hint } : {}) }),
    });
    this.links = new Links(prepared.resolution, {
      client: options.client ?? { name: 'junctor', version: VERSION },
      environment: (options.surroundings ?? ownSurroundings()).env,
      log,
      ...linkSettings(prepared.loaded, options),
      answers: this.#answering.answers,
      memory: this.#memory,
      wallet: this.wallet,
      onState: (server, state) => this.#onState(server, state),
      onNotification: (server, method, params) => this.#onNotification(server, method, params),
    });
    this.views = new ToolViews(() => this.loaded, options.naming);
    this.offer = new Offer(this.links, {
      ...options,
      log,
      memory: this.#memory,
      lock: () => this.#prepared.lock,
      onChanged: (server, list) => this.events.emit({ type: 'list-changed', server, list }),
    });
    const serverOf = (id: string) => this.loaded.servers.get(id);
    const { events, offer } = this;
    this.#permissions = new HostPermissions({ options, events, redactor, log, offer, serverOf });
    this.#results = new HostResults(options, prepared, {
      log,
      links: this.links,
      wallet: this.wallet,
      list: this.#list,
    });
    options.signal?.addEventListener('abort', this.#onAbort);
    if (options.signal?.aborted) this.#onAbort();
  }

  /** What is written, layer by layer. */
  get loaded(): McpConfigLoadResult {
    return this.#prepared.loaded;
  }

  /** A text with the secrets of this host masked: for whatever leaves it as words. */
  mask(text: string): string {
    return this.#redactor.mask(text);
  }

  /** Rules, policies and switches of project files that do not count until a person approved them. */
  get unapproved(): readonly string[] {
    return this.#prepared.unapproved;
  }

  /** What of it may run here. */
  get resolution(): Resolution {
    return this.#prepared.resolution;
  }

  /**
   * Reads the config again. Servers that changed are restarted, new ones are known, gone ones end; the rest is not
   * touched. A config with problems that the present one has not is not taken over: the error names them.
   */
  async reload(): Promise<ServerChanges> {
    const next = await this.#prepareAgain();
    const fresh = newProblems(this.loaded, next.loaded);
    if (fresh.length > 0) {
      throw new JunctorError('config_invalid', 'The changed config has problems; the last good one stays in use.', {
        why: fresh.map(describeProblem).join('\n'),
        hint: 'mend what is named and save again',
      });
    }
    const changes = compareRosters(this.resolution, next.resolution);
    for (const id of [...changes.removed, ...changes.changed]) this.offer.forget(id);
    this.#results.configure(next);
    const locked = this.links.ids.filter(id => !next.lock.sameFor(id, this.#prepared.lock));
    this.#prepared = next;
    this.#allowed = new Map();
    this.#gate = gateFor(next.loaded, next.resolution);
    await this.links.update(next.resolution);
    this.#answering.setPolicyState(this.links, sandboxPolicyState(next.loaded.frame, next.resolution));
    for (const server of locked) this.events.emit({ type: 'list-changed', server, list: 'tools' });
    return changes;
  }

  /** Calls a tool by its public name, or by the pair of server and tool; or one of our own: for search, resources, prompts. */
  async call(target: string | ToolRef, args: unknown = {}, options: CallOptions = {}): Promise<ToolResult> {
    const known = typeof target === 'string' ? this.offer.find(target) : target;
    const own = known || typeof target !== 'string' ? undefined : this.#own(target, args as object, options);
    if (own) return own;
    const ref = known ?? (await this.#find(target as string));
    const asking = this.#asking(options);
    if (!this.events.heard) return call(this.#rooms, ref, args, asking);
    const about = { events: this.events, heartbeats: this.heartbeats };
    return announced(about, ref, asking, followed => call(this.#rooms, ref, args, followed));
  }

  /** Asks a server something else than to run a tool, on behalf of a model: judged, counted and cut like a call. */
  consult(call: OwnCall, options: CallOptions = {}): Promise<ToolResult> {
    return ownCall(this.#rooms, call, this.#asking(options));
  }

  /** As much of a result as the limits of this tool allow. The rest is kept for the session, to be read on. */
  cutResult(ref: ToolRef, result: ToolResult, options: CutOptions = {}): Promise<ToolResult> {
    return this.#results.results.cut(ref, result, options);
  }

  /**
   * Reads on in a result that was cut: characters of it, the value at a JSON path, or where words stand. Only the session
   * it was made for gets it.
   */
  readResult(id: string, query: ResultQuery = {}, session?: string): Promise<ResultReading> {
    return this.#results.results.read(id, query, session);
  }

  /** What the calls of each tool came to, in this run and the ones before. */
  async statistics(): Promise<ToolStatistics[]> {
    return statisticsRows(await this.#results.statistics.read(), this.offer.latest);
  }

  /** The verdict of the rules on a call with these arguments. */
  judge(server: string, tool: string, args: unknown = {}): Verdict {
    return this.#gate.judge(server, tool, args);
  }

  /** Whether a call may run: at once where a rule decides, else when a person has. It is not run. */
  permit(ref: ToolRef, args: unknown = {}, options: PermissionOptions = {}): Permission | Promise<Permission> {
    return permit(this.#permissions.rooms(this.#gate), ref, args, options);
  }

  /** Why a lockfile keeps anybody from calling this tool. Undefined at once where none concerns its server. */
  withheld(ref: ToolRef): Promise<JunctorError | undefined> | undefined {
    return this.#permissions.withheld(this.#prepared.lock, ref);
  }

  /** The lockfile that decides about a server's tools, where there is one. */
  lockfileOf(server: string): string | undefined {
    return this.#prepared.lock.fileOf(server);
  }

  /** Calls that wait for a yes. Any surface may answer one. */
  get approvals(): Approvals {
    return this.#permissions.approvals;
  }

  /** What a person allowed for longer than one call. */
  get grants(): Grants {
    return this.#permissions.grants;
  }

  /** Whether calling it twice does no harm, as its server says. */
  repeatable({ server, tool }: ToolRef): boolean {
    const entry = this.offer.latest?.entries.find(one => one.server === server && one.tool === tool);
    const { readOnlyHint, idempotentHint } = (entry?.definition.annotations ?? {}) as Record<string, unknown>;
    return readOnlyHint === true || idempotentHint === true;
  }

  /** The servers that could not be reached, or not even tried, each with its reason. One that is switched off is neither. */
  failures(): ServerFailure[] {
    const unreachable = this.links.ids.flatMap((server): ServerFailure[] => {
      const state = this.links.state(server);
      return state.kind === 'error' || state.kind === 'auth_required' ? [{ server, error: state.lastError }] : [];
    });
    return [...unreachable, ...untried(this.resolution)];
  }

  /** Every server of the config and how it is. */
  status(): ServerStatus[] {
    return statusOf(this);
  }

  /** Connects every server now. Resolves when each is ready or has failed; it never throws for one of them. */
  start(): ReturnType<typeof startAll> {
    return startAll(this);
  }

  /** Whether this agent gets this server. */
  serves(agent: string, server: string): boolean {
    let allowed = this.#allowed.get(agent);
    if (!allowed) {
      allowed = new Set(resolve({ config: this.loaded, agent }).servers.keys());
      this.#allowed.set(agent, allowed);
    }
    return allowed.has(server);
  }

  /** Names other folders to servers, and tells those that are connected. */
  setRoots(roots: RootsSource): void {
    this.#answering.setRoots(this.links, roots);
  }

  /** Tells servers that adapt to it what sandbox the agent works in: those connected now, and those that come later. */
  setSandboxState(state: SandboxState): void {
    this.#answering.setSandboxState(this.links, state);
  }

  server(id: string): ResolvedServer | undefined {
    return this.resolution.servers.get(id);
  }

  async close(): Promise<void> {
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    this.approvals.close();
    await this.wallet.close();
    await this.links.closeAll();
    await this.#results.close();
    await this.#memory.flush();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #own(name: string, args: object, options: CallOptions): Promise<ToolResult> | undefined {
    if (!OWN_TOOLS.includes(name)) return undefined;
    const other = otherListsTool(name);
    if (other) return other.run(this, { ...args }, options);
    this.#search ??= import('./host-search.ts').then(({ HostSearch }) => new HostSearch(this));
    return this.#search.then(search => search.call(name, { ...args }, options));
  }

  #asking(options: CallOptions): CallOptions {
    return options.ask || !this.#options.ask ? options : { ...options, ask: this.#options.ask };
  }

  get #rooms(): CallRooms {
    const { answers } = this.#answering;
    const permission = this.#permissions.rooms(this.#gate);
    const { links } = this;
    const { results } = this.#results;
    return {
      permission,
      withheld: this.#withheld,
      links,
      results,
      repeatable: ref => this.repeatable(ref),
      list: this.#list,
      answers,
    };
  }

  readonly #withheld = (ref: ToolRef): ReturnType<Host['withheld']> => this.withheld(ref);

  readonly #list = (server: string): ReturnType<Host['collect']> => this.collect(server);

  async #find(name: string): Promise<ToolRef> {
    const { byName, entries, hidden } = await this.snapshot();
    const entry = byName.get(name);
    if (entry) return entry;
    const near = similarName(name, entries);
    const failed = this.failures().map(({ server }) => server);
    const reasons = [
      ...(failed.length > 0 ? [`these servers did not answer: ${failed.join(', ')}`] : []),
      ...(hidden.length > 0 ? [`a lockfile hides ${hidden.length} tools: junctor lock diff`] : []),
    ];
    throw new JunctorError('tool_not_found', `There is no tool '${name}'.`, {
      ...(reasons.length > 0 ? { why: reasons.join('\n') } : {}),
      hint: `${near === undefined ? '' : `did you mean '${near}'? All of them: `}junctor mcp tools`,
    });
  }

  readonly #onAbort = (): void => void this.close();

  #onState(server: string, state: LinkState): void {
    logState(this.#log, server, state);
    this.#results.changed(server);
    this.events.emit({ type: 'state-changed', server, state });
    const link = state.kind === 'ready' ? this.links.live(server) : undefined;
    if (link) this.#answering.greeted(link);
    if (link) this.offer.onReady(link);
    if (state.kind !== 'auth_required') return;
    const { hint } = state.lastError;
    this.events.emit({ type: 'auth-required', server, ...(hint === undefined ? {} : { hint }) });
  }

  #onNotification(server: string, method: string, params: unknown): void {
    const news = readAnnouncement(method, params);
    if (!news) return this.#answering.heard(server, method, params);
    this.#results.changed(server);
    if ('changed' in news) this.offer.announce(server, news.changed);
    else this.events.emit({ type: 'resource-updated', server, uri: news.updated });
  }
}

function silentLog(): Log {
  return new Log({ level: 'error', write: () => {}, redactor: new Redactor() });
}
