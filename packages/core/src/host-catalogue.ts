/** What a host answers about what its servers offer: tools, resources and prompts. */
import type { Entry, ToolDefinition } from './catalogue/entry.ts';
import type { FitReport } from './catalogue/fit-report.ts';
import type { PromptDefinition, ResourceDefinition, ResourceTemplateDefinition } from './catalogue/list-kind.ts';
import type { Snapshot } from './catalogue/snapshot.ts';
import type { Links } from './link/links.ts';
import type { RequestOptions } from './link/request.ts';
import type { Offer, SnapshotWait } from './offer.ts';
import type {
  Completion,
  CompletionRequest,
  Offered,
  PromptMessages,
  ResourceContents,
} from './other-lists-answers.ts';
import { patienceFor, type ToolView, type ToolViews } from './tool-views.ts';

/** The part of a host that knows what servers offer. */
export abstract class HostCatalogue {
  /** The connections. */
  abstract readonly links: Links;
  protected abstract readonly offer: Offer;
  protected abstract readonly views: ToolViews;

  /**
   * Every tool of every server that answers, as this model or client can read it. Servers that do not answer are left out;
   * `failures()` names them.
   */
  async tools(view: ToolView = {}): Promise<readonly Entry[]> {
    return (await this.snapshot(view)).entries;
  }

  /**
   * The catalogue with every reachable one of these servers in it. Servers that are still starting are waited for, but no
   * longer than `patienceMs`. With `known`, or once that time is up, the tools of an earlier connection stand in for a
   * server that has not answered yet: `stale` names it, and the next snapshot has what it says itself.
   */
  async snapshot({ model, client, naming, ...wait }: SnapshotWait & ToolView = {}): Promise<Snapshot> {
    this.links.expectOpen();
    const view = await this.views.of({ model, client, naming });
    const patienceMs = wait.again ? wait.patienceMs : patienceFor(view, wait.patienceMs);
    return this.offer.snapshot(view, patienceMs === undefined ? wait : { ...wait, patienceMs });
  }

  /** Tools that one caller has of a server for itself, named and shown as they would be to everybody. */
  async shelve(server: string, tools: readonly ToolDefinition[], view: ToolView = {}): Promise<readonly Entry[]> {
    return this.offer.shelve(server, tools, await this.views.of(view));
  }

  /** What this model or client gets otherwise than the servers offer it, before the first request. */
  async describeFit({ model, client, naming, ...wait }: SnapshotWait & ToolView): Promise<FitReport | undefined> {
    const snapshot = await this.snapshot({ model, client, naming, ...wait });
    const { describeFit } = await import('./catalogue/fit-report.ts');
    return describeFit(
      snapshot,
      await this.views.of({ model, client, naming }),
      wait.servers?.length === 1 ? wait.servers[0] : undefined,
    );
  }

  /** The tools of one server, asked for once and kept until they grow old or the server says they changed. */
  collect(server: string): Promise<readonly ToolDefinition[]> {
    return this.offer.collect(server);
  }

  /** How many tools of a server are offered, as far as is known without asking it. */
  toolCount(server: string): number {
    return this.offer.count(server);
  }

  /** Every tool of one server that the config lets through, also those that a lockfile hides. */
  listedTools(server: string): Promise<readonly ToolDefinition[]> {
    return this.offer.listed(server);
  }

  /** Drops what is known of a server's tools, resources and prompts: whoever asks next gets what it offers then. */
  invalidate(server: string): void {
    this.offer.invalidate(server);
  }

  /** The same for every server. */
  invalidateAll(): void {
    for (const server of this.links.ids) this.offer.invalidate(server);
  }

  /** Resources of one server, which must answer; or of every server that does. */
  async resources(server?: string): Promise<Offered<ResourceDefinition>[]> {
    this.links.expectOpen();
    return this.offer.others.resources(server);
  }

  /** Patterns of addresses of resources, such as `file:///{path}`. Of one server, or of all as for `resources`. */
  async resourceTemplates(server?: string): Promise<Offered<ResourceTemplateDefinition>[]> {
    this.links.expectOpen();
    return this.offer.others.templates(server);
  }

  /** Prompts that servers offer to people, of one server, or of all as for `resources`. */
  async prompts(server?: string): Promise<Offered<PromptDefinition>[]> {
    this.links.expectOpen();
    return this.offer.others.prompts(server);
  }

  /** The resource as its server has it now: texts, and bytes as base64. Not judged: a program reads it, no model. */
  readResource(server: string, uri: string, options?: RequestOptions): Promise<ResourceContents> {
    return this.offer.others.read(server, uri, options);
  }

  /** The messages of a prompt, with its arguments filled in. */
  getPrompt(
    server: string,
    name: string,
    args: Readonly<Record<string, string>> = {},
    options?: RequestOptions,
  ): Promise<PromptMessages> {
    return this.offer.others.prompt(server, name, args, options);
  }

  /** What the server suggests for a value that is being typed. */
  complete(server: string, request: CompletionRequest, options?: RequestOptions): Promise<Completion> {
    return this.offer.others.complete(server, request, options);
  }

  /** From now on `resource-updated` tells when this resource changes, over new connections too. */
  subscribe(server: string, uri: string): Promise<void> {
    return this.offer.others.subscribe(server, uri);
  }

  /** Ends what `subscribe` began. */
  unsubscribe(server: string, uri: string): Promise<void> {
    return this.offer.others.unsubscribe(server, uri);
  }
}
