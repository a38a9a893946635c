/** Everything one agent may use, behind one door: what all its servers offer, named, and judged before each call. */
import { type Host, type JunctorError, type ToolDefinition, VERSION } from '@junctor/core';
import { META, notOffered, RPC_CODE } from '@junctor/core/internal';
import type { NotedCall, NotedDoor } from '../calls/door-notes.ts';
import type { Subscriber } from '../relay/subscriptions.ts';
import { answerTasks, isAboutTasks } from '../relay/tasks/answer-tasks.ts';
import type { Upstream } from '../relay/upstream.ts';
import { AgentResults } from '../results/agent-results.ts';
import { publicUri } from '../results/public-uri.ts';
import type { Flight } from '../visit/flight.ts';
import { fail, refuseCall, sentenceFor, toolError, toolNotFound } from '../visit/own-answers.ts';
import type { Reply } from '../visit/reply.ts';
import type { Caller, Followed, FollowedTask, Request, Room, Visit } from '../visit/room.ts';
import type { Session } from '../visit/session.ts';
import { complete } from '../visit/stamp.ts';
import { AgentLists, LIST_PATIENCE_MS } from './agent-lists.ts';
import { AgentRelay } from './agent-relay.ts';
import { AgentSearch, isSearchTool } from './agent-search.ts';
import { AgentTools } from './agent-tools.ts';
import { agreedVersion, joined, joinedInstructions } from './greeting.ts';
import type { House } from './house.ts';
import type { Audience } from './task-offer.ts';

export class AgentRoom implements Room {
  readonly host: Host;
  readonly project: string | undefined;
  readonly surface = 'agent-endpoint';
  readonly agent: string;
  readonly #house: House;
  readonly #agent: string;
  readonly #door: NotedDoor;
  readonly #lists: AgentLists;
  readonly #search: AgentSearch;
  readonly #relay: AgentRelay;
  readonly #tools: AgentTools;

  constructor(house: House, agent: string) {
    this.#house = house;
    this.host = house.host;
    this.project = house.project;
    this.#agent = agent;
    this.agent = agent;
    this.#door = { agent };
    const lists = new AgentLists(house, agent);
    const search = new AgentSearch(house, agent, lists);
    const results = new AgentResults(house.host, agent);
    this.#lists = lists;
    this.#search = search;
    this.#relay = new AgentRelay(house, results);
    this.#tools = new AgentTools(house, { lists, search, results });
  }

  async greet(params: Record<string, unknown>, { session }: Caller): Promise<object> {
    const protocolVersion = agreedVersion(params.protocolVersion);
    const about = await this.#about({ era: 'legacy', version: protocolVersion });
    this.#house.notes.greeted(session, this.#door, this.#known, protocolVersion);
    return { protocolVersion, serverInfo: SERVER_INFO, ...about };
  }

  async discover(): Promise<object> {
    return { ...(await this.#about({ era: 'modern' })), _meta: { [META.serverInfo]: SERVER_INFO } };
  }

  serve(request: Request, reply: Reply, flight: Flight, caller: Caller): Promise<void> {
    const visit = { request, reply, flight, caller };
    this.#house.notes.used(caller.session, this.#door, () => this.#known);
    if (request.method !== 'tools/call') return this.#answer(visit);
    if (!isSearchTool(request.params.name)) return this.#call(visit);
    return this.#search.answer(visit, inner => this.#call(inner));
  }

  toolNamed(name: string, caller: Caller): ToolDefinition | undefined | Promise<ToolDefinition | undefined> {
    if (isSearchTool(name)) return undefined;
    const entry = this.#tools.entry(name, caller);
    return entry instanceof Promise ? entry.then(found => found?.definition) : entry?.definition;
  }

  outward(server: string, method: string, params: object): object {
    const { uri } = params as { uri?: unknown };
    const moves = method === 'notifications/resources/updated' && typeof uri === 'string';
    return moves ? { ...params, uri: publicUri(server, uri) } : params;
  }

  async subscribe(uri: string, subscriber: Subscriber, caller: Caller): Promise<Followed | undefined> {
    const found = await this.#lists.locate(uri, caller);
    if (!found) return undefined;
    const upstream = await this.#house.instances.for(caller, found.server);
    await upstream.subscriptions.add(found.uri, subscriber, upstream.live ?? (await upstream.ready()));
    return { upstream, uri: found.uri };
  }

  followTask(id: string, caller: Caller, tell: (state: object) => void): FollowedTask | undefined {
    return this.#house.tasks.follow(id, caller, tell);
  }

  /** The lists behind this door are the host's, which follows its servers itself. */
  async watched(): Promise<readonly Upstream[]> {
    return [];
  }

  shows(host: Host, server: string, session: Session, news: string): boolean {
    // Tools that are searched are on no list: whatever becomes of them, the list is the same.
    if (news === 'notifications/tools/list_changed' && session.search?.hides(server)) return false;
    return host === this.#house.host && host.serves(this.#agent, server);
  }

  /** The host follows the first instance of each server by itself. Of others many changes are one until the list is read. */
  showsListsOf(upstream: Upstream, news: boolean): boolean {
    return news && !this.#house.instances.isFirst(upstream);
  }

  /** The servers that have a part in the initialize result of a client. */
  get #known(): string[] {
    return this.#lists.servers.filter(id => this.host.links.greeting(id));
  }

  async #about(to: Audience): Promise<object> {
    const { links } = this.#house.host;
    const { servers } = this.#lists;
    // Instructions are sent once: wait briefly for servers that have just been started, and for none that failed.
    await Promise.all(servers.map(id => links.whenTried(id, LIST_PATIENCE_MS)));
    const greetings = servers.map(id => links.greeting(id));
    const instructions = joinedInstructions(servers.map((id, index) => [id, greetings[index]?.instructions]));
    return { capabilities: joined(greetings, to), ...(instructions === undefined ? {} : { instructions }) };
  }

  /** All but calls. */
  async #answer(visit: Visit): Promise<void> {
    const { request, reply, caller } = visit;
    try {
      if (request.method === 'tools/list') {
        const { result, servers } = await this.#tools.list(caller);
        reply.result(result);
        return this.#house.notes.listed(caller.session, servers);
      }
      const list = await this.#listFor(request.method, caller);
      if (list) reply.result(caller.era === 'modern' ? complete(request.method, list) : JSON.stringify(list));
      else await this.#other(visit);
    } catch (error) {
      fail(this.#house, reply, error);
    }
  }

  async #call(visit: Visit): Promise<void> {
    const { request, reply, caller } = visit;
    const { host, notes, permits } = this.#house;
    const { name: asked, arguments: args } = request.params;
    const name = String(asked);
    const isModern = caller.era === 'modern';
    let noted: NotedCall | undefined;
    const onFailure = (to: Reply, error: JunctorError): void => {
      noted?.failed(error);
      toolError(to, sentenceFor(this.#house, error), isModern);
    };
    try {
      const found = this.#tools.entry(name, caller);
      const entry = found instanceof Promise ? await found : found;
      const ref = entry ?? (await host.hiddenTool(name, { ...this.#lists.reader, servers: this.#lists.servers }));
      // The list may be older than the config: what is left out since is not called either.
      if (!ref || !host.server(ref.server)?.offers(ref.tool) || !host.serves(this.#agent, ref.server))
        return await this.#missing(visit, name);
      noted = notes.call(ref, { session: caller.session, reply, args, meta: request.params._meta });
      const deciding = permits.pass({ ...visit, host, ref, special: FOUND_ON_A_LIST, noted });
      const passed = deciding instanceof Promise ? await deciding : deciding;
      if (!passed) return;
      const params = noted.traced({ ...passed.params, name: ref.tool });
      await this.#relay.send(visit, ref.server, { ...passed, params, departure: noted }, onFailure);
    } catch (error) {
      onFailure(reply, error as JunctorError);
    }
  }

  /** No tool has this name. Where its server is the reason, the caller gets that reason. */
  async #missing({ reply, caller, request }: Visit, name: string): Promise<void> {
    const { reader, servers } = this.#lists;
    const isModern = caller.era === 'modern';
    const why = await this.host.whyUnavailable(name, { ...reader, servers });
    const about = { session: caller.session, reply, args: request.params.arguments };
    const noted = this.#house.notes.call({ server: why?.server ?? '', tool: name }, about);
    if (why) {
      noted.failed(why);
      return toolError(reply, sentenceFor(this.#house, why), isModern);
    }
    const denied = notOffered(toolNotFound(name));
    noted.judged(noted.call, denied);
    refuseCall(this.#house, reply, denied, isModern);
  }

  /** Requests that name something of one server. */
  async #other(visit: Visit): Promise<void> {
    const { request, reply, caller } = visit;
    const { method, params } = request;
    if (method === 'prompts/get') {
      const found = await this.#lists.prompt(String(params.name), caller);
      if (!found) return reply.error(RPC_CODE.invalidParams, `Unknown prompt: ${params.name}`);
      return this.#relay.send(visit, found.server, { params: { ...params, name: found.name } });
    }
    if (method === 'completion/complete') return this.#complete(visit);
    if (isAboutTasks(method)) return answerTasks(this.#house.tasks, visit);
    if (!BY_URI.has(method)) return reply.error(RPC_CODE.methodNotFound, `This door does not serve ${method}`);
    const uri = String(params.uri);
    const found = await this.#lists.locate(uri, caller);
    const missing = caller.era === 'modern' ? RPC_CODE.invalidParams : RPC_CODE.resourceNotFound;
    if (!found) return reply.error(missing, `Resource not found: ${uri}`, { uri });
    if (method === 'resources/read')
      return this.#relay.send(visit, found.server, { params: { ...params, uri: found.uri } });
    const upstream = await this.#house.instances.for(caller, found.server);
    const link = upstream.live ?? (await upstream.ready());
    if (method === 'resources/subscribe') await upstream.subscriptions.add(found.uri, caller.session, link);
    else await upstream.subscriptions.remove(found.uri, caller.session, link);
    reply.result('{}');
  }

  async #complete(visit: Visit): Promise<void> {
    const { request, reply, caller } = visit;
    const ref = (request.params.ref ?? {}) as { type?: unknown; name?: unknown; uri?: unknown };
    if (ref.type === 'ref/prompt') {
      const found = await this.#lists.prompt(String(ref.name), caller);
      if (found)
        return this.#relay.send(visit, found.server, {
          params: { ...request.params, ref: { ...ref, name: found.name } },
        });
    } else {
      const found = await this.#lists.locate(String(ref.uri), caller);
      if (found)
        return this.#relay.send(visit, found.server, {
          params: { ...request.params, ref: { ...ref, uri: found.uri } },
        });
    }
    reply.error(RPC_CODE.invalidParams, 'Nothing is here by the name that was to be completed');
  }

  #listFor(method: string, caller: Caller): Promise<object> | undefined {
    if (method === 'resources/list') return this.#lists.resources(caller);
    if (method === 'resources/templates/list') return this.#lists.templates(caller);
    return method === 'prompts/list' ? this.#lists.prompts(caller) : undefined;
  }
}

/** The public name led to it, over the list of its server. */
const FOUND_ON_A_LIST = { absent: undefined };

const SERVER_INFO = { name: 'junctor', version: VERSION };
const BY_URI = new Set(['resources/read', 'resources/subscribe', 'resources/unsubscribe']);
