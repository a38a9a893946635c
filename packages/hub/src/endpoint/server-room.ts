/** One server as it is: unprefixed and unaltered, but permission-checked. */
import type { Host, ToolDefinition } from '@junctor/core';
import { type Frame, META, RPC_CODE } from '@junctor/core/inside';
import type { Passed } from '../approvals/permits.ts';
import type { NotedCall, NotedDoor } from '../calls/door-notes.ts';
import { tellPeer } from '../relay/peer-failure.ts';
import { relay } from '../relay/relay.ts';
import type { Subscriber } from '../relay/subscriptions.ts';
import type { Upstream } from '../relay/upstream.ts';
import type { Flight } from '../visit/flight.ts';
import { fail, toolError } from '../visit/own-answers.ts';
import { hasApproved, isHub } from '../visit/principal.ts';
import type { Reply } from '../visit/reply.ts';
import type { Caller, Followed, Request, Room, Visit } from '../visit/room.ts';
import { complete } from '../visit/stamp.ts';
import { agreedVersion, carried } from './greeting.ts';
import { type House, repeatIn } from './house.ts';

export class ServerRoom implements Room {
  readonly host: Host;
  readonly #house: House;
  readonly #server: string;

  constructor(house: House, server: string) {
    this.#house = house;
    this.host = house.host;
    this.#server = server;
  }

  async greet(params: Record<string, unknown>, caller: Caller): Promise<object> {
    const { capabilities, greeting } = await this.#meet(caller);
    const { serverInfo, instructions } = greeting;
    const protocolVersion = agreedVersion(params.protocolVersion);
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
      if (request.method === 'tools/list') notes.listed(caller.session, [this.#server]);
      if (request.method === 'tools/list' && this.#isSifted) return await this.#list(reply, caller);
      let passed: Partial<Passed> = {};
      if (request.method === 'tools/call') {
        noted = this.#noted(request, reply, caller);
        const found = await this.#mayCall({ request, reply, flight, caller }, noted);
        if (!found) return;
        passed = found;
      }
      const found = this.#house.instances.for(caller, this.#server);
      const upstream = found instanceof Promise ? await found : found;
      if (request.method.startsWith('resources/') && (await this.#subscribed(request, reply, caller))) return;
      if (request.method.startsWith('tasks/') && !upstream.owner && caller.era === 'legacy')
        return reply.error(RPC_CODE.methodNotFound, 'Sessions share this server, so that none can keep tasks there');
      const { host, instances, parked } = this.#house;
      const onFailure = (to: Reply, error: unknown): void => {
        noted?.failed(error);
        this.#fail(to, error, caller);
      };
      const { params: given = request.params, progress, heed } = passed;
      const params = noted?.traced(given) ?? given;
      const translate = heed && ((frame: Frame) => void heed(frame));
      const ref = noted && { server: this.#server, tool: String(params.name) };
      const again = ref && repeatIn(this.#house, ref);
      const ways = { departure: noted, heartbeats: host.heartbeats, onFailure, progress, translate, mayRepeat: again };
      await relay({ upstream, instances, request: { ...request, params }, reply, flight, caller, ...ways }, parked);
    } catch (error) {
      noted?.failed(error);
      this.#fail(reply, error, caller);
    }
  }

  #fail(reply: Reply, error: unknown, { session }: Caller): void {
    if (isHub(session.principal)) tellPeer(this.#house.host, reply, error);
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

  async #meet(caller: Caller) {
    const upstream = await this.#house.instances.for(caller, this.#server);
    const { greeting } = await upstream.ready();
    const own = upstream.owner !== undefined;
    return { greeting, capabilities: carried(greeting, { era: caller.era, own }) };
  }

  /** Whether tools are left out, by the config or by a lockfile: then the list has to be made here. */
  get #isSifted(): boolean {
    const { host } = this.#house;
    return host.server(this.#server)?.filtered === true || host.lockfileOf(this.#server) !== undefined;
  }

  async #list(reply: Reply, { era }: Caller): Promise<void> {
    const list = { tools: await this.#house.host.collect(this.#server) };
    reply.result(era === 'modern' ? complete('tools/list', list) : JSON.stringify(list));
  }

  get #door(): NotedDoor {
    return { server: this.#server };
  }

  /** A call that the config leaves out is no call of this server. */
  #noted({ params }: Request, reply: Reply, { session }: Caller): NotedCall | undefined {
    const tool = String(params.name);
    if (!this.#house.host.server(this.#server)?.offers(tool)) return undefined;
    return this.#house.notes.call(
      this.#door,
      { server: this.#server, tool },
      { session, reply, args: params.arguments, meta: params._meta },
    );
  }

  async #mayCall(visit: Visit, noted?: NotedCall): Promise<Partial<Passed> | undefined> {
    const { host, permits } = this.#house;
    const { request, reply, caller } = visit;
    const tool = String(request.params.name);
    if (!noted) return void reply.error(RPC_CODE.invalidParams, `Unknown tool: ${tool}`);
    const ref = { server: this.#server, tool };
    const { principal } = caller.session;
    const judged = isHub(principal) ? JUDGED : host.judge(this.#server, tool, request.params.arguments);
    const agreed = judged.effect === 'ask' && hasApproved(principal);
    const verdict = agreed ? AGREED : judged;
    noted.judged(verdict);
    const refuse = (because: string): void =>
      toolError(reply, `The call of ${tool} was not allowed: ${because}`, caller.era === 'modern');
    if (verdict.effect === 'deny') return void refuse(`${verdict.because}.`);
    const asks = verdict.effect === 'ask';
    const passed = asks ? await permits.pass({ ...visit, host, ref, agent: undefined, inClient: true, noted }) : {};
    const locked = passed && host.withheld(ref);
    const withheld = locked && (await locked);
    if (!withheld) return passed;
    noted.failed(withheld);
    refuse(withheld.message);
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

const JUDGED = { effect: 'allow', because: 'the hub where the client is has judged it' } as const;
const AGREED = { effect: 'allow', because: 'the person who called it said yes' } as const;
