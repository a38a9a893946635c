/** What servers offer beside tools: resources, resource templates and prompts, and the requests that go with them. */
import { isJunctorError, JunctorError } from '../../base/error.ts';
import {
  type ListKind,
  type ListName,
  PROMPTS,
  type PromptDefinition,
  RESOURCE_TEMPLATES,
  RESOURCES,
  type ResourceDefinition,
  type ResourceTemplateDefinition,
} from '../../catalogue/lists/list-kind.ts';
import type {
  Completion,
  CompletionRequest,
  Offered,
  PromptMessages,
  ResourceContents,
} from '../../catalogue/lists/other-lists-answers.ts';
import { type ListRules, type ListWait, ServerLists } from '../../catalogue/lists/server-lists.ts';
import type { Link } from '../../connections/link.ts';
import type { Links } from '../../connections/links.ts';
import { whileUnaborted } from '../../connections/rpc/failures.ts';
import type { RequestOptions } from '../../connections/rpc/request.ts';

export class OtherLists {
  readonly #links: Links;
  readonly #resources: ServerLists<ResourceDefinition, Link>;
  readonly #templates: ServerLists<ResourceTemplateDefinition, Link>;
  readonly #prompts: ServerLists<PromptDefinition, Link>;
  /** Resources somebody wants to be told about, by server. A new connection knows nothing of them. */
  readonly #subscribed = new Map<string, Set<string>>();

  constructor(
    links: Links,
    { onChanged, ...rules }: Omit<ListRules, 'onChanged'> & { onChanged: (server: string, list: ListName) => void },
  ) {
    this.#links = links;
    const lists = <Item>(kind: ListKind<Item>): ServerLists<Item, Link> =>
      new ServerLists(links, kind, { ...rules, onChanged: server => onChanged(server, kind.list) });
    this.#resources = lists(RESOURCES);
    this.#templates = lists(RESOURCE_TEMPLATES);
    this.#prompts = lists(PROMPTS);
  }

  resources(server?: string, wait?: ListWait): Promise<Offered<ResourceDefinition>[]> {
    return this.#offered(this.#resources, server, wait);
  }

  templates(server?: string, wait?: ListWait): Promise<Offered<ResourceTemplateDefinition>[]> {
    return this.#offered(this.#templates, server, wait);
  }

  prompts(server?: string, wait?: ListWait): Promise<Offered<PromptDefinition>[]> {
    return this.#offered(this.#prompts, server, wait);
  }

  async read(server: string, uri: string, options?: RequestOptions): Promise<ResourceContents> {
    const answer = await this.#ask(server, 'resources', 'resources/read', { uri }, options);
    return wellFormed(server, 'resources/read', 'contents', answer);
  }

  async prompt(
    server: string,
    name: string,
    args: Readonly<Record<string, string>>,
    options?: RequestOptions,
  ): Promise<PromptMessages> {
    const answer = await this.#ask(server, 'prompts', 'prompts/get', { name, arguments: args }, options);
    return wellFormed(server, 'prompts/get', 'messages', answer);
  }

  async complete(server: string, request: CompletionRequest, options?: RequestOptions): Promise<Completion> {
    const answer = await this.#ask(server, 'completions', 'completion/complete', request, options);
    return wellFormed(server, 'completion/complete', 'values', (answer as { completion?: unknown } | null)?.completion);
  }

  async subscribe(server: string, uri: string): Promise<void> {
    await (await this.#linkWith(server, 'resources')).subscribe(uri);
    const wanted = this.#subscribed.get(server) ?? new Set();
    this.#subscribed.set(server, wanted.add(uri));
  }

  async unsubscribe(server: string, uri: string): Promise<void> {
    this.#links.expect(server);
    this.#subscribed.get(server)?.delete(uri);
    // Without a connection there is nothing to take back.
    await this.#links.live(server)?.unsubscribe(uri);
  }

  /** The server says that a list changed. True where that is news. */
  announce(server: string, list: Exclude<ListName, 'tools'>): boolean {
    if (list === 'prompts') return this.#prompts.announce(server);
    const news = [this.#resources.announce(server), this.#templates.announce(server)];
    return news.includes(true);
  }

  forget(server: string): void {
    for (const lists of [this.#resources, this.#templates, this.#prompts]) lists.forget(server);
  }

  /** A new connection: what was subscribed to on the last one is subscribed to again. */
  onReady(link: Link): void {
    const { id } = link.server;
    for (const uri of this.#subscribed.get(id) ?? []) link.subscribe(uri).catch(() => {}); // next time
    for (const lists of [this.#resources, this.#templates, this.#prompts]) lists.onReady(id);
  }

  /** Of one server, which must answer; or of every server that does. With `wait`: what is known without waiting longer. */
  async #offered<Item>(
    lists: ServerLists<Item, Link>,
    only: string | undefined,
    wait: ListWait | undefined,
  ): Promise<Offered<Item>[]> {
    const of = async (server: string): Promise<Offered<Item>[]> => {
      const read = wait ? await lists.soon(server, wait) : await lists.read(server);
      return (read?.list.items ?? []).map(definition => ({ server, definition }));
    };
    if (only !== undefined) return of(only);
    const all = await Promise.allSettled(this.#links.ids.map(of));
    return all.flatMap(one => (one.status === 'fulfilled' ? one.value : []));
  }

  /** A server that forgot our session did not act on the request: in a new session it is sent once more. */
  async #ask(
    server: string,
    capability: string,
    method: string,
    params: object,
    options?: RequestOptions,
  ): Promise<unknown> {
    const link = await whileUnaborted(server, options?.signal, this.#linkWith(server, capability));
    try {
      return await link.request(method, params, options);
    } catch (error) {
      if (!isJunctorError(error, 'session_expired')) throw error;
      return (await this.#links.ready(server)).request(method, params, options);
    }
  }

  async #linkWith(server: string, capability: string): Promise<Link> {
    const link = this.#links.live(server) ?? (await this.#links.ready(server));
    if (link.greeting.capabilities[capability] !== undefined) return link;
    const has = Object.keys(link.greeting.capabilities);
    throw new JunctorError('not_offered', `Server '${server}' offers no ${capability}.`, {
      server,
      why: has.length > 0 ? `it offers ${has.join(', ')}` : 'it offers nothing at all',
      hint: 'ask a server that does: host.resources() and host.prompts() name them',
      command: `junctor doctor ${server} tells what it offers`,
    });
  }
}

/** The answer, where it has the list that makes it one. */
function wellFormed<Answer>(server: string, method: string, list: string, answer: unknown): Answer {
  if (Array.isArray((answer as Record<string, unknown> | null | undefined)?.[list])) return answer as Answer;
  throw new JunctorError('malformed_response', `Server '${server}' answered ${method} without ${list}.`, { server });
}
