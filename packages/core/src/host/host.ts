/** The public face of a host. It holds no logic: its parts answer, see `host-parts.ts`. */
import type { JunctorError } from '../base/error.ts';
import type { CallOptions, ToolRef } from '../calls/call.ts';
import type { OwnCall } from '../calls/own-call.ts';
import type { CutOptions } from '../calls/results.ts';
import type { Entry, ToolDefinition } from '../catalogue/entry.ts';
import type { FitReport } from '../catalogue/fit-report.ts';
import type { InstanceLists, InstanceListsOptions } from '../catalogue/lists/instance-lists.ts';
import type { PromptDefinition, ResourceDefinition, ResourceTemplateDefinition } from '../catalogue/lists/list-kind.ts';
import type * as lists from '../catalogue/lists/other-lists-answers.ts';
import type { ListWait } from '../catalogue/lists/server-lists.ts';
import { wordVectorsOnDemand } from '../catalogue/search/word-vectors-file.ts';
import type { Snapshot } from '../catalogue/snapshot.ts';
import type { ToolView } from '../catalogue/tool-views.ts';
import type { RootsSource } from '../connections/client-features/roots.ts';
import type { SandboxState } from '../connections/client-features/sandbox-state.ts';
import type { Link } from '../connections/link.ts';
import type { RequestOptions } from '../connections/rpc/request.ts';
import type { AuthorizeDeps, AuthorizeOptions } from '../permissions/authorize.ts';
import type { ToolCall } from '../permissions/caller.ts';
import type { Decision } from '../permissions/decision.ts';
import type { Verdict } from '../permissions/verdict.ts';
import type { ResolvedServer } from '../resolve/roster.ts';
import type { ResultQuery, ResultReading } from '../results/reading/read-artifact.ts';
import type { ToolResult } from '../results/tool-result.ts';
import type { Prepared } from './config/prepare.ts';
import type { MissingToolView, ServerFailure, ServerInstructions } from './host-catalogue.ts';
import { type HostInput, HostParts } from './host-parts.ts';
import type { HostPermissions } from './host-permissions.ts';
import type { SnapshotWait } from './lists/offer.ts';
import type { ServerInfo, ServerInfoOptions } from './server-info.ts';
import { startAll } from './startup.ts';
import type { ToolStatistics } from './statistics.ts';
import { type ServerStatus, statusOf } from './status.ts';

type Texts = Readonly<Record<string, string>>;
/** At once where nobody has to be asked and no list to be read. */
type Deciding = Decision | Promise<Decision>;

/** The servers of one config: what they offer, calls of their tools, and what happens to them. Made by `createHost`. */
export class Host implements AsyncDisposable {
  /** Reports what happens: `host.events.on('tool-call-end', …)`. A listener that fails stands in the log, and disturbs nothing. */
  readonly events: HostParts['events'];
  /** The connections: their states, opening and ending single ones. */
  readonly links: HostParts['links'];
  /** The credentials that servers are shown. */
  readonly wallet: HostParts['wallet'];
  /** Signs that running calls are alive. */
  readonly heartbeats: HostParts['heartbeats'];
  /** What a search knows of the meaning of words, read on first use. */
  readonly wordVectors: ReturnType<typeof wordVectorsOnDemand> = wordVectorsOnDemand();
  /** Private, and with it the options: somebody who prints a host must not see the secrets a program passed in. */
  readonly #parts: HostParts;

  constructor(input: HostInput) {
    this.#parts = new HostParts(input, async () => new (await import('./lists/own-tools.ts')).OwnTools(this));
    ({ events: this.events, links: this.links, wallet: this.wallet, heartbeats: this.heartbeats } = this.#parts);
  }

  /** The config as it is written, layer by layer. */
  get loaded(): HostParts['config']['loaded'] {
    return this.#parts.config.loaded;
  }

  /** The servers this host may run. */
  get resolution(): HostParts['config']['resolution'] {
    return this.#parts.config.resolution;
  }

  /** Rules, policies and switches of project files that do not count until a person approved them. */
  get unapproved(): Prepared['unapproved'] {
    return this.#parts.config.unapproved;
  }

  /** The same, as it is written. */
  get waiting(): Prepared['waiting'] {
    return this.#parts.config.waiting;
  }

  /** A text with the secrets of this host masked: for whatever leaves it as words. */
  mask(text: string): string {
    return this.#parts.redactor.mask(text);
  }

  /** Reads the config again: only servers that changed restart or end. A config with new problems is refused: the error names them. */
  reload(): ReturnType<HostParts['reload']> {
    return this.#parts.reload();
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
    return this.#parts.config.serves(agent, server);
  }

  /** One server as it is used here; undefined where it is not. */
  server(id: string): ResolvedServer | undefined {
    return this.resolution.servers.get(id);
  }

  /** Names other folders to servers, and notifies those that are connected. */
  setRoots(roots: RootsSource): void {
    this.#parts.answering.setRoots(this.links, roots);
  }

  /** Names the sandbox the agent works in to servers that adapt to it: those connected now, and those that come later. */
  setSandboxState(state: SandboxState): void {
    this.#parts.answering.setSandboxState(this.links, state);
  }

  /** Every tool of every server that answers (`failures()` names the others), as this model or client can read it. */
  tools(view: ToolView = {}): Promise<readonly Entry[]> {
    return this.#parts.catalogue.tools(view);
  }

  /**
   * The catalogue with every reachable one of these servers in it. Waits at most `patienceMs` for servers that still start.
   * With `known`, or after that time, the tools of an earlier connection stand in for such a server: `stale` names it.
   */
  snapshot(view: SnapshotWait & ToolView = {}): Promise<Snapshot> {
    return this.#parts.catalogue.snapshot(view);
  }

  /** Tools that one caller has of a server for itself, named and shown as they would be to everybody. */
  shelve(server: string, tools: readonly ToolDefinition[], view: ToolView = {}): Promise<readonly Entry[]> {
    return this.#parts.catalogue.shelve(server, tools, view);
  }

  /** The lists of one instance of a server beside the one that this host follows, from when it says that they changed. */
  instanceLists(options: Omit<InstanceListsOptions<Link>, 'tools'>): InstanceLists<Link> {
    return this.#parts.catalogue.instanceLists(options);
  }

  /** What this model or client gets otherwise than the servers offer it, before the first request. */
  describeFit(view: SnapshotWait & ToolView): Promise<FitReport | undefined> {
    return this.#parts.catalogue.describeFit(view);
  }

  /** The tools of one server, asked for once and kept until they grow old or the server says they changed. */
  collect(server: string): Promise<readonly ToolDefinition[]> {
    return this.#parts.offer.collect(server);
  }

  /** How many tools of a server are offered, as far as is known without asking it. */
  toolCount(server: string): number {
    return this.#parts.offer.count(server);
  }

  /** Every tool of one server that the config lets through, also those that a lockfile hides. */
  listedTools(server: string): Promise<readonly ToolDefinition[]> {
    return this.#parts.offer.listed(server);
  }

  /** What servers say about how to use them, cleaned and cut: of one server, which must answer; or of every server that does. */
  instructions(server?: string, options: ServerInfoOptions = {}): Promise<ServerInstructions[]> {
    return this.#parts.catalogue.instructions(server, options);
  }

  /** What servers call themselves: name, title, version, icons, and what they can do. Of one server, or of all that answer. */
  serverInfo(server?: string, options: ServerInfoOptions = {}): Promise<ServerInfo[]> {
    return this.#parts.catalogue.serverInfo(server, options);
  }

  /** Drops what is known of a server's tools, resources and prompts: the next question gets what it offers then. */
  invalidate(server: string): void {
    this.#parts.offer.invalidate(server);
  }

  /** The same for every server. */
  invalidateAll(): void {
    for (const server of this.links.ids) this.invalidate(server);
  }

  /** Resources of one server, which must answer; or of every server that does. With `wait`: as far as they are known by then. */
  async resources(server?: string, wait?: ListWait): Promise<lists.Offered<ResourceDefinition>[]> {
    return this.#parts.catalogue.openLists.resources(server, wait);
  }

  /** Patterns of addresses of resources, such as `file:///{path}`. Of one server, or of all as for `resources`. */
  async resourceTemplates(server?: string, wait?: ListWait): Promise<lists.Offered<ResourceTemplateDefinition>[]> {
    return this.#parts.catalogue.openLists.templates(server, wait);
  }

  /** Prompts that servers offer to people, of one server, or of all as for `resources`. */
  async prompts(server?: string, wait?: ListWait): Promise<lists.Offered<PromptDefinition>[]> {
    return this.#parts.catalogue.openLists.prompts(server, wait);
  }

  /** The resource as its server has it now: texts, and bytes as base64. Not judged: a program reads it, no model. */
  readResource(server: string, uri: string, options?: RequestOptions): Promise<lists.ResourceContents> {
    return this.#parts.offer.others.read(server, uri, options);
  }

  /** The messages of a prompt, with its arguments filled in. */
  getPrompt(server: string, name: string, args: Texts = {}, options?: RequestOptions): Promise<lists.PromptMessages> {
    return this.#parts.offer.others.prompt(server, name, args, options);
  }

  /** What the server suggests for a value that is being typed. */
  complete(server: string, request: lists.CompletionRequest, options?: RequestOptions): Promise<lists.Completion> {
    return this.#parts.offer.others.complete(server, request, options);
  }

  /** From now on `resource-updated` reports when this resource changes, over new connections too. */
  subscribe(server: string, uri: string): Promise<void> {
    return this.#parts.offer.others.subscribe(server, uri);
  }

  /** Ends what `subscribe` began. */
  unsubscribe(server: string, uri: string): Promise<void> {
    return this.#parts.offer.others.unsubscribe(server, uri);
  }

  /** Calls a tool by its public name, or by the pair of server and tool; or one of our own: for search, resources, prompts. */
  call(target: string | ToolRef, args: unknown = {}, options: CallOptions = {}): Promise<ToolResult> {
    return this.#parts.calls.call(target, args, options);
  }

  /** Asks a server something else than to run a tool, on behalf of a model: judged, counted and cut like a call. */
  consult(call: OwnCall, options: CallOptions = {}): Promise<ToolResult> {
    return this.#parts.calls.consult(call, options);
  }

  /** As much of a result as the limits of this tool allow. The rest is kept for the session, to be read on. */
  async cutResult(ref: ToolRef, result: ToolResult, options: CutOptions = {}): Promise<ToolResult> {
    return this.#parts.calls.results.cut(ref, result, options);
  }

  /** Reads on in a result that was cut, for the session it was made for: characters, the value at a JSON path, where words stand. */
  readResult(id: string, query: ResultQuery = {}, session?: string): Promise<ResultReading> {
    return this.#parts.calls.results.read(id, query, session);
  }

  /** What the calls of each tool came to, in this run and the ones before. */
  statistics(): Promise<ToolStatistics[]> {
    return this.#parts.calls.statistics();
  }

  /** What the rules say about a call with these arguments: of this agent, or of no agent. */
  judge(server: string, tool: string, args: unknown = {}, agent?: string): Verdict {
    return this.#parts.config.gate.judge(server, tool, args, agent);
  }

  /** Decides whether a call may run, and does not run it. `special` replaces single parts of what the decision is made from. */
  authorize(call: ToolCall, options: AuthorizeOptions = {}, special?: Partial<AuthorizeDeps>): Deciding {
    return this.#parts.calls.authorize(call, options, special);
  }

  /** The tool that would have this public name, did a lockfile not hide it. */
  hiddenTool(name: string, view: MissingToolView = {}): Promise<ToolRef | undefined> {
    return this.#parts.catalogue.hidden(name, view);
  }

  /** Why a lockfile keeps anybody from calling this tool. Undefined at once where none concerns its server. */
  withheld(ref: ToolRef): Promise<JunctorError | undefined> | undefined {
    return this.#parts.calls.withheld(ref);
  }

  /** The lockfile that decides about a server's tools, where there is one. */
  lockfileOf(server: string): string | undefined {
    return this.#parts.config.lock.fileOf(server);
  }

  /** Calls that wait for approval. Any surface may answer one. */
  get approvals(): HostPermissions['approvals'] {
    return this.#parts.calls.permissions.approvals;
  }

  /** What a person allowed for longer than one call. */
  get grants(): HostPermissions['grants'] {
    return this.#parts.calls.permissions.grants;
  }

  /** Whether calling it twice does no harm, as its server says. */
  repeatable({ server, tool }: ToolRef): boolean {
    return this.#parts.catalogue.repeatable(server, tool);
  }

  /** What to do about an error, in the words that this host's program chose with `nextSteps`. */
  nextStep(error: JunctorError): string | undefined {
    return this.#parts.nextStep(error);
  }

  /** The same for people, who may read what a model gets: undefined where only the program can do it. */
  stepForPerson(error: JunctorError): string | undefined {
    return this.#parts.stepForPerson(error);
  }

  /** The servers that could not be reached, not even tried, or are written wrongly, each with its reason. One that is switched off is none of these. */
  failures(): ServerFailure[] {
    return this.#parts.catalogue.failures();
  }

  /** Why no tool has this public name, where its server is the reason: it cannot be reached, wants a sign-in, or still connects. */
  whyUnavailable(name: string, view: MissingToolView = {}): Promise<JunctorError | undefined> {
    return this.#parts.catalogue.whyUnavailable(name, view);
  }

  /**
   * Ends every server, with all processes, and the host. It may be called twice. Calls that run fail with `connection_lost`.
   * With the id of a server that server alone is ended; it starts again when it is next needed.
   */
  async close(server?: string): Promise<void> {
    await (server === undefined ? this.#parts.close() : this.links.close(server));
  }

  /** Ends every server, with all processes. The host stays: each server starts again when it is next needed. */
  async closeAll(): Promise<void> {
    await Promise.all(this.links.ids.map(id => this.links.close(id)));
  }

  /** What `await using` does at the end of the block: `close`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
