/** What a host does with calls: whether one may run, running it, and what becomes of its result. */
import { announced } from './announce.ts';
import type { Answering } from './answering.ts';
import type { Bus } from './base/bus.ts';
import type { JunctorError } from './base/error.ts';
import { stepAtCommandLine } from './base/told.ts';
import { type CallOptions, type CallRooms, call, type ToolRef } from './call/call.ts';
import type { Heartbeats } from './call/heartbeat.ts';
import { misusedCall } from './call/misused-call.ts';
import { type OwnCall, ownCall } from './call/own-call.ts';
import { type Permission, type PermissionOptions, permit } from './call/permission.ts';
import type { CutOptions } from './call/results.ts';
import { OWN_TOOLS } from './catalogue/naming/name-rule.ts';
import type { WordVectors } from './catalogue/search/word-vectors.ts';
import type { ConfigInForce } from './config-in-force.ts';
import type { HostEvent } from './events.ts';
import type { Approvals } from './gate/approvals.ts';
import type { Verdict } from './gate/verdict.ts';
import type { Grants } from './grants.ts';
import { HostCatalogue } from './host-catalogue.ts';
import type { HostOptions } from './host-options.ts';
import type { HostPermissions } from './host-permissions.ts';
import type { HostResults } from './host-results.ts';
import type { HostSearch } from './host-search.ts';
import { untried } from './link/unusable.ts';
import { otherListsTool } from './other-lists-tools.ts';
import type { ResolvedServer } from './resolve/roster.ts';
import type { ResultQuery, ResultReading } from './result/reading/read-artifact.ts';
import type { ToolResult } from './result/tool-result.ts';
import type { ToolStatistics } from './statistics.ts';
import { toolNotFound } from './tool-not-found.ts';
import { writtenWrongly } from './written-wrongly.ts';

/** A server that cannot be used, and why. */
export interface ServerFailure {
  /** Its id in the config. */
  readonly server: string;
  /** What is wrong with it; `hint` says what to do. */
  readonly error: JunctorError;
}

/** The part of a host that calls tools, and decides whether they may run. */
export abstract class HostCalls extends HostCatalogue {
  /** Tells what happens. */
  abstract readonly events: Bus<HostEvent>;
  /** Life signs of the calls that run. */
  abstract readonly heartbeats: Heartbeats;
  /** Words near in meaning, for a search. */
  abstract readonly wordVectors: () => WordVectors | undefined;
  protected abstract readonly config: ConfigInForce;
  protected abstract readonly answering: Answering;
  protected abstract readonly permissions: HostPermissions;
  protected abstract readonly results: HostResults;
  readonly #options: HostOptions;
  #latestRooms: CallRooms | undefined;
  /** Loaded when somebody searches. */
  #search: Promise<HostSearch> | undefined;

  constructor(options: HostOptions) {
    super();
    this.#options = options;
  }

  /** Out of sight of whoever prints a host: what a program passes in may hold secrets. */
  protected get options(): HostOptions {
    return this.#options;
  }

  /** A text with the secrets of this host masked. */
  abstract mask(text: string): string;
  /** One server as it is used here; undefined where it is not. */
  abstract server(id: string): ResolvedServer | undefined;

  /** Calls a tool by its public name, or by the pair of server and tool; or one of our own: for search, resources, prompts. */
  call(target: string | ToolRef, args: unknown = {}, options: CallOptions = {}): Promise<ToolResult> {
    const misuse = misusedCall(target, args);
    if (misuse) return Promise.reject(misuse);
    if (typeof target !== 'string') return this.#call(target, args, options);
    const known = this.offer.find(target);
    if (known) return this.#call(known, args, options);
    return this.#own(target, args as object, options) ?? this.#callUnlisted(target, args, options);
  }

  /** Asks a server something else than to run a tool, on behalf of a model: judged, counted and cut like a call. */
  consult(call: OwnCall, options: CallOptions = {}): Promise<ToolResult> {
    return ownCall(this.#rooms, call, this.#asking(options));
  }

  /** As much of a result as the limits of this tool allow. The rest is kept for the session, to be read on. */
  async cutResult(ref: ToolRef, result: ToolResult, options: CutOptions = {}): Promise<ToolResult> {
    return this.results.results.cut(ref, result, options);
  }

  /**
   * Reads on in a result that was cut: characters of it, the value at a JSON path, or where words stand. Only the session
   * it was made for gets it.
   */
  readResult(id: string, query: ResultQuery = {}, session?: string): Promise<ResultReading> {
    return this.results.results.read(id, query, session);
  }

  /** What the calls of each tool came to, in this run and the ones before. */
  async statistics(): Promise<ToolStatistics[]> {
    const { statisticsRows } = await import('./statistics.ts');
    return statisticsRows(await this.results.statistics.read(), this.offer.latest);
  }

  /** The verdict of the rules on a call with these arguments. */
  judge(server: string, tool: string, args: unknown = {}): Verdict {
    return this.config.gate.judge(server, tool, args);
  }

  /** Whether a call may run: at once where a rule decides, else when a person has. It is not run. */
  permit(ref: ToolRef, args: unknown = {}, options: PermissionOptions = {}): Permission | Promise<Permission> {
    return permit(this.permissions.rooms(this.config.gate), ref, args, options);
  }

  /** Why a lockfile keeps anybody from calling this tool. Undefined at once where none concerns its server. */
  withheld(ref: ToolRef): Promise<JunctorError | undefined> | undefined {
    return this.permissions.withheld(this.config.lock, ref);
  }

  /** The lockfile that decides about a server's tools, where there is one. */
  lockfileOf(server: string): string | undefined {
    return this.config.lock.fileOf(server);
  }

  /** Calls that wait for a yes. Any surface may answer one. */
  get approvals(): Approvals {
    return this.permissions.approvals;
  }

  /** What a person allowed for longer than one call. */
  get grants(): Grants {
    return this.permissions.grants;
  }

  /** Whether calling it twice does no harm, as its server says. */
  repeatable({ server, tool }: ToolRef): boolean {
    const entry = this.offer.latest?.entries.find(one => one.server === server && one.tool === tool);
    const { readOnlyHint, idempotentHint } = (entry?.definition.annotations ?? {}) as Record<string, unknown>;
    return readOnlyHint === true || idempotentHint === true;
  }

  /** What to do about an error, in the words that this host's program chose with `nextSteps`. */
  nextStep(error: JunctorError): string | undefined {
    return this.options.nextSteps === 'commands' ? stepAtCommandLine(error) : error.hint;
  }

  /** The same for people, who may read what a model is told: undefined where only the program can do it. */
  stepForPerson(error: JunctorError): string | undefined {
    const onlyInProgram = this.options.nextSteps !== 'commands' && error.command !== undefined;
    return onlyInProgram ? undefined : stepAtCommandLine(error);
  }

  /** The servers that could not be reached, not even tried, or are written wrongly, each with its reason. One that is switched off is none of these. */
  failures(): ServerFailure[] {
    const unreachable = this.links.ids.flatMap((server): ServerFailure[] => {
      const state = this.links.state(server);
      return state.kind === 'error' || state.kind === 'auth_required' ? [{ server, error: state.lastError }] : [];
    });
    return [...unreachable, ...untried(this.config.resolution), ...writtenWrongly(this.config.loaded)];
  }

  #call(ref: ToolRef, args: unknown, options: CallOptions): Promise<ToolResult> {
    const asking = this.#asking(options);
    return this.events.heard ? this.#announce(ref, args, asking) : call(this.#rooms, ref, args, asking);
  }

  #announce(ref: ToolRef, args: unknown, options: CallOptions): Promise<ToolResult> {
    const about = { events: this.events, heartbeats: this.heartbeats };
    return announced(about, ref, options, followed => call(this.#rooms, ref, args, followed));
  }

  /** A name that nobody was given yet: it may be one all the same. */
  async #callUnlisted(name: string, args: unknown, options: CallOptions): Promise<ToolResult> {
    return this.#call(await this.#find(name), args, options);
  }

  #own(name: string, args: object, options: CallOptions): Promise<ToolResult> | undefined {
    if (!OWN_TOOLS.includes(name)) return undefined;
    const other = otherListsTool(name);
    if (other) return other.run(this, { ...args }, options);
    this.#search ??= import('./host-search.ts').then(({ HostSearch }) => new HostSearch(this));
    return this.#search.then(search => search.call(name, { ...args }, options));
  }

  #asking(options: CallOptions): CallOptions {
    const { ask } = this.options;
    return options.ask || !ask ? options : { ...options, ask };
  }

  /** Put together once for each config, and not for each call. */
  get #rooms(): CallRooms {
    const { gate, lock } = this.config;
    if (this.#latestRooms?.permission.gate === gate) return this.#latestRooms;
    this.#latestRooms = {
      permission: this.permissions.rooms(gate),
      withheld: lock.isEmpty ? undefined : ref => this.permissions.withheld(lock, ref),
      links: this.links,
      results: this.results.results,
      repeatable: ref => this.repeatable(ref),
      list: server => this.collect(server),
      answers: this.answering.answers,
    };
    return this.#latestRooms;
  }

  async #find(name: string): Promise<ToolRef> {
    const snapshot = await this.snapshot();
    const entry = snapshot.byName.get(name);
    if (entry) return entry;
    throw toolNotFound(
      name,
      snapshot,
      this.failures().map(({ server }) => server),
    );
  }
}
