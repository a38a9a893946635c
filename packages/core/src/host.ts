/** Builds the rooms and owns them. It holds no logic: each question is answered by the room it belongs to. */
import { Answering } from './answering.ts';
import { Bus } from './base/bus.ts';
import { Late } from './base/late.ts';
import { Log } from './base/log.ts';
import type { Redactor } from './base/redact.ts';
import { Heartbeats } from './call/heartbeat.ts';
import { memoryFor } from './catalogue-options.ts';
import type { McpConfigLoadResult } from './config/load.ts';
import { describeProblem } from './config/problem.ts';
import { ConfigInForce } from './config-in-force.ts';
import type { HostEvent } from './events.ts';
import { HostCalls } from './host-calls.ts';
import type { HostOptions } from './host-options.ts';
import { type HostPermissions, openPermissions } from './host-permissions.ts';
import { type HostResults, openResults } from './host-results.ts';
import { walletFor } from './host-wallet.ts';
import type { Wallet } from './link/auth/wallet.ts';
import type { RootsSource } from './link/inbound/roots.ts';
import type { SandboxState } from './link/inbound/sandbox-state.ts';
import { Links } from './link/links.ts';
import type { Memory } from './link/memory.ts';
import type { Pace } from './link/pace.ts';
import { linkSettings, paceNumbers } from './link-settings.ts';
import { Offer } from './offer.ts';
import type { Prepared } from './prepare.ts';
import { compareRosters, type ServerChanges } from './resolve/compare.ts';
import type { Resolution } from './resolve/resolve.ts';
import type { ResolvedServer } from './resolve/roster.ts';
import { sandboxPolicyState } from './sandbox-policy.ts';
import { announceSignIn, type NewsRooms, onNotification, onState } from './server-news.ts';
import { startAll } from './startup.ts';
import { type ServerStatus, statusOf } from './status.ts';
import { ToolViews } from './tool-views.ts';
import { VERSION } from './version.ts';
import { wordVectorsOnDemand } from './word-vectors-file.ts';
import { writtenWrongly } from './written-wrongly.ts';

export type { ServerFailure } from './host-calls.ts';

/** The servers of one config: what they offer, calls of their tools, and what happens to them. Made by `createHost`. */
export class Host extends HostCalls implements AsyncDisposable {
  /** Tells what happens: `host.events.on('tool-call-end', …)`. A listener that fails stands in the log, and disturbs nothing. */
  readonly events: Bus<HostEvent>;
  /** The connections: their states, opening and ending single ones. */
  readonly links: Links;
  /** What servers are shown as credentials. */
  readonly wallet: Wallet;
  /** Life signs of the calls that run. */
  readonly heartbeats: Heartbeats;
  /** What a search knows of the meaning of words, read when it is first asked for. */
  readonly wordVectors: ReturnType<typeof wordVectorsOnDemand> = wordVectorsOnDemand();
  protected readonly config: ConfigInForce;
  protected readonly offer: Offer;
  protected readonly views: ToolViews;
  protected readonly answering: Answering;
  /** What only calls need is made with the first of them. */
  readonly #permissions: Late<HostPermissions>;
  readonly #results: Late<HostResults>;
  readonly #redactor: Redactor;
  readonly #memory: Memory;
  readonly #pace: Pace;
  readonly #log: Log;

  constructor(prepared: Prepared, options: HostOptions, redactor: Redactor, prepareAgain: () => Promise<Prepared>) {
    super(options);
    this.config = new ConfigInForce(prepared, prepareAgain);
    this.#redactor = redactor;
    this.heartbeats = new Heartbeats(prepared.loaded.frame.health?.heartbeat_ms);
    const log = Log.of(options.log, redactor).wished(prepared.loaded.frame.log?.level);
    this.#log = log;
    this.events = new Bus((error, { type }) => log.error('a listener failed', { event: type, error }));
    for (const problem of prepared.loaded.problems) log.warn(describeProblem(problem));
    this.answering = new Answering(
      {
        ...options,
        log,
        isTrusted: server => this.server(server)?.trusted ?? false,
        emit: event => this.events.emit(event),
      },
      sandboxPolicyState(prepared.loaded.frame, prepared.resolution),
    );
    const rooms = (): NewsRooms => {
      const { events, links, offer, answering } = this;
      const results = this.#results.made;
      return { log, events, links, offer, answering, results, nextStep: error => this.nextStep(error) };
    };
    this.#memory = memoryFor(options);
    this.wallet = walletFor(options, {
      redactor,
      log,
      onMoreScope: (server, error) => announceSignIn(rooms(), server, error),
    });
    const settings = linkSettings(prepared.loaded, options);
    this.#pace = settings.pace;
    this.links = new Links(prepared.resolution, {
      client: options.client ?? { name: 'junctor', version: VERSION },
      log,
      ...settings,
      answers: this.answering.answers,
      memory: this.#memory,
      wallet: this.wallet,
      whyMissing: id => writtenWrongly(this.loaded).find(({ server }) => server === id)?.error,
      onLaunched: () => this.offer.prepare(),
      onState: (server, state) => onState(rooms(), server, state),
      onNotification: (server, method, params) => onNotification(rooms(), server, method, params),
    });
    this.views = new ToolViews(() => this.loaded, options.naming);
    this.offer = new Offer(this.links, {
      ...options,
      log,
      memory: this.#memory,
      lock: () => this.config.lock,
      onChanged: (server, list) => this.events.emit({ type: 'list-changed', server, list }),
    });
    const serverOf = (id: string) => this.loaded.servers.get(id);
    const { events, offer } = this;
    this.#permissions = new Late(() => openPermissions({ options, events, redactor, log, offer, serverOf }));
    const { links, wallet, config } = this;
    const list = (server: string) => this.collect(server);
    this.#results = new Late(() => openResults(options, config, { log, links, wallet, list }));
    options.signal?.addEventListener('abort', this.#onAbort);
    if (options.signal?.aborted) this.#onAbort();
  }

  /** What is written, layer by layer. */
  get loaded(): McpConfigLoadResult {
    return this.config.loaded;
  }

  protected get permissions(): HostPermissions {
    return this.#permissions.get();
  }

  protected get results(): HostResults {
    return this.#results.get();
  }

  /** A text with the secrets of this host masked: for whatever leaves it as words. */
  mask(text: string): string {
    return this.#redactor.mask(text);
  }

  /** Rules, policies and switches of project files that do not count until a person approved them. */
  get unapproved(): readonly string[] {
    return this.config.unapproved;
  }

  /** The same, as it is written. */
  get waiting(): Prepared['waiting'] {
    return this.config.waiting;
  }

  /** What of it may run here. */
  get resolution(): Resolution {
    return this.config.resolution;
  }

  /**
   * Reads the config again. Servers that changed are restarted, new ones are known, gone ones end; the rest is not
   * touched. A config with problems that the present one has not is not taken over: the error names them.
   */
  async reload(): Promise<ServerChanges> {
    const next = await this.config.readAgain();
    const changes = compareRosters(this.resolution, next.resolution);
    for (const id of [...changes.removed, ...changes.changed]) this.offer.forget(id);
    this.#results.made?.configure(next);
    this.heartbeats.change(next.loaded.frame.health?.heartbeat_ms);
    this.#pace.change(paceNumbers(next.loaded, this.options));
    const locked = this.links.ids.filter(id => !next.lock.sameFor(id, this.config.lock));
    this.config.take(next);
    await this.links.update(next.resolution);
    this.answering.setPolicyState(this.links, sandboxPolicyState(next.loaded.frame, next.resolution));
    for (const server of locked) this.events.emit({ type: 'list-changed', server, list: 'tools' });
    return changes;
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
    return this.config.serves(agent, server);
  }

  /** Names other folders to servers, and tells those that are connected. */
  setRoots(roots: RootsSource): void {
    this.answering.setRoots(this.links, roots);
  }

  /** Tells servers that adapt to it what sandbox the agent works in: those connected now, and those that come later. */
  setSandboxState(state: SandboxState): void {
    this.answering.setSandboxState(this.links, state);
  }

  /** One server as it is used here; undefined where it is not. */
  server(id: string): ResolvedServer | undefined {
    return this.resolution.servers.get(id);
  }

  /** Ends every server, with all processes. It may be called twice. Calls that run fail with `connection_lost`. */
  async close(): Promise<void> {
    this.options.signal?.removeEventListener('abort', this.#onAbort);
    this.#permissions.made?.approvals.close();
    // At the same time: a token that is being renewed is waited for, and no program has to live on for that.
    await Promise.all([this.wallet.close(), this.links.closeAll()]);
    await this.#results.made?.close();
    await this.#memory.flush();
  }

  /** What `await using` does at the end of the block: `close`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  readonly #onAbort = (): void => {
    this.close().catch(error => this.#log.warn('could not close cleanly', { error }));
  };
}
