/** One server as it is: unprefixed and unaltered, but permission-checked. */
import type { AuthorizeDeps, Host, ToolDefinition } from '@junctor/core';
import {
  type Frame,
  frameText,
  type Greeting,
  hasTasks,
  isAppOnly,
  isObject,
  META,
  RPC_CODE,
  showsApps,
} from '@junctor/core/internal';
import type { Passed } from '../approvals/permits.ts';
import type { NotedCall, NotedDoor } from '../calls/door-notes.ts';
import { tellPeer } from '../relay/peer-failure.ts';
import { relay } from '../relay/relay.ts';
import type { Subscriber } from '../relay/subscriptions.ts';
import { answerTasks, isAboutTasks } from '../relay/tasks/answer-tasks.ts';
import type { Upstream } from '../relay/upstream.ts';
import type { Flight } from '../visit/flight.ts';
import { fail } from '../visit/own-answers.ts';
import { type Reply, readAnswer } from '../visit/reply.ts';
import type { Caller, Followed, FollowedTask, Request, Room, Visit } from '../visit/room.ts';
import { complete } from '../visit/stamp.ts';
import { agreedVersion, carried, carriesMethod } from './greeting.ts';
import { HostGuard, type House } from './house.ts';
import { withTaskSupport } from './task-offer.ts';

export class ServerRoom implements Room {
  readonly host: Host;
  readonly project: string | undefined;
  readonly surface = 'server-endpoint';
  readonly agent = undefined;
  readonly #house: House;
  readonly #server: string;

  constructor(house: House, server: string) {
    this.#house = house;
    this.host = house.host;
    this.project = house.project;
    this.#server = server;
  }

  async greet(params: Record<string, unknown>, caller: Caller): Promise<object> {
    const protocolVersion = agreedVersion(params.protocolVersion);
    const { capabilities, greeting } = await this.#meet(caller, protocolVersion);
    const { serverInfo, instructions } = greeting;
    this.#house.notes.greeted(caller.session, this.#door, [this.#server], protocolVersion);
    return { protocolVersion, capabilities, serverInfo, ...(instructions === undefined ? {} : { instructions }) };
  }

  async discover(caller: Caller): Promise<object> {
    const { capabilities, greeting } = await this.#meet(caller);
    const { serverInfo, instructions } = greeting;
    const told = instructions === undefined ? {} : { instructions };
    return { capabilities, ...told, _meta: { [META.serverInfo]: serverInfo } };
  }

  async serve(request: Request, reply: Reply, flight: Flight, caller: Caller): Promise<void> {
    const { notes } = this.#house;
    let noted: NotedCall | undefined;
    try {
      notes.used(caller.session, this.#door, () => [this.#server]);
      if (request.method === 'tools/list')
        reply.noted = answer => {
          if (answer && answer.code === undefined) notes.listed(caller.session, [this.#server]);
        };
      if (request.method === 'tools/list' && this.#isSifted) return await this.#list(reply, caller);
      if (isAboutTasks(request.method)) return await answerTasks(this.#house.tasks, { request, reply, flight, caller });
      let passed: Partial<Passed> = {};
      if (request.method === 'tools/call') {
        noted = this.#noted(request, reply, caller);
        const deciding = this.#mayCall({ request, reply, flight, caller }, noted);
        const found = deciding instanceof Promise ? await deciding : deciding;
        if (!found) return;
        passed = found;
      } else if (!this.#carries(request.method))
        return reply.error(RPC_CODE.methodNotFound, `This endpoint does not carry ${request.method}`);
      const found = this.#house.instances.for(caller, this.#server);
      const upstream = found instanceof Promise ? await found : found;
      if (request.method.startsWith('resources/') && (await this.#subscribed(request, reply, caller))) return;
      const { host, instances } = this.#house;
      const onFailure = (to: Reply, error: unknown): void => {
        noted?.failed(error);
        this.#fail(to, error, caller);
      };
      const { params: given = request.params, progress, heed } = passed;
      const params = noted?.traced(given) ?? given;
      const lists = request.method === 'tools/list';
      const listed = (frame: Frame) => listedFor(caller, upstream.live?.greeting, frame);
      const translate = heed ? (frame: Frame) => void heed(frame) : lists ? listed : undefined;
      const ref = noted && { server: this.#server, tool: String(params.name) };
      const again = ref && new HostGuard(this.#house, ref);
      const ways = {
        departure: noted,
        heartbeats: host.heartbeats,
        onFailure,
        progress,
        translate,
        repeatGuard: again,
      };
      await relay(
        { upstream, instances, request: { ...request, params }, reply, flight, caller, ...ways },
        this.#house,
      );
    } catch (error) {
      noted?.failed(error);
      this.#fail(reply, error, caller);
    }
  }

  #fail(reply: Reply, error: unknown, { session }: Caller): void {
    if (session.owner.bearer.kind === 'hub') tellPeer(this.#house.host, reply, error);
    else fail(this.#house, reply, error);
  }

  async toolNamed(name: string): Promise<ToolDefinition | undefined> {
    return (await this.#house.host.collect(this.#server)).find(tool => tool.name === name);
  }

  outward(_server: string, _method: string, params: object): object {
    return params;
  }

  async subscribe(uri: string, subscriber: Subscriber, caller: Caller): Promise<Followed> {
    const upstream = await this.#house.instances.for(caller, this.#server);
    await upstream.subscriptions.add(uri, subscriber, upstream.live ?? (await upstream.ready()));
    return { upstream, uri };
  }

  followTask(id: string, caller: Caller, tell: (state: object) => void): FollowedTask | undefined {
    return this.#house.tasks.follow(id, caller, tell);
  }

  async watched(caller: Caller): Promise<readonly Upstream[]> {
    const upstream = await this.#house.instances.for(caller, this.#server);
    await upstream.ready();
    return [upstream];
  }

  /** A list that is made here changes with the config too. */
  shows(host: Host, server: string): boolean {
    return host === this.#house.host && server === this.#server && this.#isSifted;
  }

  showsListsOf(): boolean {
    return true;
  }

  async #meet(caller: Caller, version?: string) {
    const upstream = await this.#house.instances.for(caller, this.#server);
    const { greeting } = await upstream.ready();
    return { greeting, capabilities: carried(greeting, { era: caller.era, version }) };
  }

  /** Whether tools are left out, by the config or by a lockfile: then the list has to be made here. */
  get #isSifted(): boolean {
    const { host } = this.#house;
    return host.server(this.#server)?.filtered === true || host.lockfileOf(this.#server) !== undefined;
  }

  async #list(reply: Reply, caller: Caller): Promise<void> {
    const { host } = this.#house;
    const offered = await host.collect(this.#server);
    const list = { tools: toolsFor(caller, host.links.live(this.#server)?.greeting, offered) };
    reply.result(caller.era === 'modern' ? complete('tools/list', list) : JSON.stringify(list));
  }

  get #door(): NotedDoor {
    return { server: this.#server };
  }

  /** Other methods than those of the protocol and of announced extensions pass only where the config names them. */
  #carries(method: string): boolean {
    const { host } = this.#house;
    const { methods } = host.loaded.servers.get(this.#server)?.definition ?? {};
    return carriesMethod(method, {
      extensions: host.links.live(this.#server)?.greeting.capabilities.extensions,
      methods,
    });
  }

  #noted({ params }: Request, reply: Reply, { session }: Caller): NotedCall {
    const ref = { server: this.#server, tool: String(params.name) };
    return this.#house.notes.call(ref, { session, reply, args: params.arguments, meta: params._meta });
  }

  #mayCall(visit: Visit, noted: NotedCall): Passed | undefined | Promise<Passed | undefined> {
    const { host, permits } = this.#house;
    const ref = { server: this.#server, tool: String(visit.request.params.name) };
    return permits.pass({ ...visit, host, ref, special: this.#special(visit.caller), noted });
  }

  /** Where a call of this caller is decided otherwise than one of the host itself. */
  #special({ session }: Caller): Partial<AuthorizeDeps> | undefined {
    const { host } = this.#house;
    if (session.owner.bearer.kind === 'hub') return JUDGED_AT_ITS_HUB;
    const own = session.upstreams.get(this.#server);
    // A caller that has an instance of its own calls what that one lists.
    const absent = own?.lists.has('tools') ? { absent: undefined } : undefined;
    if (!session.owner.approved) return absent;
    return {
      ...absent,
      judge: ({ ref, arguments: args, caller }) => {
        const verdict = host.judge(ref.server, ref.tool, args, caller.agent);
        return verdict.effect === 'ask' ? APPROVED : verdict;
      },
    };
  }

  /** Sessions may share the server: it is asked once for each resource, however many follow it. */
  async #subscribed({ method, params }: Request, reply: Reply, caller: Caller): Promise<boolean> {
    const uri = String(params.uri);
    if (method === 'resources/subscribe') await this.subscribe(uri, caller.session, caller);
    else if (method === 'resources/unsubscribe') {
      const upstream = await this.#house.instances.for(caller, this.#server);
      await upstream.subscriptions.remove(uri, caller.session, upstream.live);
    } else return false;
    reply.result('{}');
    return true;
  }
}

const JUDGED_AT_ITS_HUB: Partial<AuthorizeDeps> = {
  absent: undefined,
  judge: () => ({ effect: 'allow', because: 'the hub of its client has decided about it' }),
};
const APPROVED = { effect: 'allow', because: 'the person who called it approved it' } as const;

/** Another hub lists for its own clients, and decides for each of them. */
function takesAppTools({ capabilities, session }: Caller): boolean {
  return showsApps(capabilities) || session.owner.bearer.kind === 'hub';
}

/** A list in other words; undefined where it goes through as it is. */
function listedFor(caller: Caller, greeting: Greeting | undefined, frame: Frame): object | undefined {
  const text = frameText(frame);
  const asksForTasks = caller.era === 'legacy' && greeting?.era === 'modern' && hasTasks(greeting);
  if (!asksForTasks && !text.includes('"visibility"') && !text.includes('"taskSupport"')) return undefined;
  const { result } = readAnswer(frame) as { result?: { tools?: unknown } };
  if (!Array.isArray(result?.tools)) return undefined;
  const given: unknown[] = result.tools;
  const tools = toolsFor(caller, greeting, given);
  return tools.length === given.length && tools.every((tool, at) => tool === given[at])
    ? undefined
    : { ...result, tools };
}

function toolsFor(caller: Caller, greeting: Greeting | undefined, tools: readonly unknown[]): unknown[] {
  const shown = takesAppTools(caller) ? tools : tools.filter(tool => !isAppOnly(tool ?? {}));
  return shown.map(tool => (isObject(tool) ? withTaskSupport(tool, caller.era, greeting) : tool));
}
