/** The calls of a host: finds the tool, decides whether the call may run, runs it, and keeps what is left of its result. */

import type { Bus } from '../base/bus.ts';
import type { JunctorError } from '../base/error.ts';
import type { Late } from '../base/late.ts';
import { type CallOptions, type CallRooms, call, type ToolRef } from '../calls/call.ts';
import type { Heartbeats } from '../calls/heartbeat.ts';
import { misusedCall } from '../calls/misused-call.ts';
import { observedBy } from '../calls/observer.ts';
import { type OwnCall, ownCall } from '../calls/own-call.ts';
import type { Results } from '../calls/results.ts';
import { OWN_TOOLS } from '../catalogue/naming/name-rule.ts';
import type { Links } from '../connections/links.ts';
import { type AuthorizeDeps, type AuthorizeOptions, authorize } from '../permissions/authorize.ts';
import type { ToolCall } from '../permissions/caller.ts';
import type { Decision } from '../permissions/decision.ts';
import type { Gate } from '../permissions/verdict.ts';
import type { ToolResult } from '../results/tool-result.ts';
import type { Answering } from './answering.ts';
import { CallEvents } from './call-events.ts';
import type { ConfigInForce } from './config/config-in-force.ts';
import type { HostEvent } from './events.ts';
import type { HostCatalogue } from './host-catalogue.ts';
import type { HostOptions } from './host-options.ts';
import type { HostPermissions } from './host-permissions.ts';
import type { HostResults } from './host-results.ts';
import type { Offer } from './lists/offer.ts';
import type { OwnTools } from './lists/own-tools.ts';
import type { ToolStatistics } from './statistics.ts';

export interface HostCallsDeps {
  readonly ask: HostOptions['ask'];
  readonly config: ConfigInForce;
  readonly events: Bus<HostEvent>;
  readonly heartbeats: Heartbeats;
  readonly links: Links;
  readonly offer: Offer;
  readonly answering: Answering;
  readonly catalogue: HostCatalogue;
  /** Made with the first call. */
  readonly permissions: Late<HostPermissions>;
  readonly results: Late<HostResults>;
  /** Most programs never call a tool of Junctor itself. */
  readonly loadOwnTools: () => Promise<OwnTools>;
}

export class HostCalls {
  readonly #deps: HostCallsDeps;
  #latestRooms: CallRooms | undefined;
  #gate: Gate | undefined;
  #ownTools: Promise<OwnTools> | undefined;

  constructor(deps: HostCallsDeps) {
    this.#deps = deps;
  }

  get permissions(): HostPermissions {
    return this.#deps.permissions.get();
  }

  get results(): Results {
    return this.#deps.results.get().results;
  }

  call(target: string | ToolRef, args: unknown, options: CallOptions): Promise<ToolResult> {
    const misuse = misusedCall(target, args);
    if (misuse) return Promise.reject(misuse);
    if (typeof target !== 'string') return this.#call(target, args, options);
    const known = this.#deps.catalogue.find(target);
    if (known) return this.#call(known, args, options);
    if (OWN_TOOLS.includes(target)) return this.#callOwn(target, args as object, options);
    return this.#callUnlisted(target, args, options);
  }

  consult(call: OwnCall, options: CallOptions): Promise<ToolResult> {
    return ownCall(this.#rooms, call, this.#asking(options));
  }

  async statistics(): Promise<ToolStatistics[]> {
    const { statisticsRows } = await import('./statistics.ts');
    return statisticsRows(await this.#deps.results.get().statistics.read(), this.#deps.offer.latest);
  }

  authorize(
    call: ToolCall,
    options: AuthorizeOptions,
    special: Partial<AuthorizeDeps> | undefined,
  ): Decision | Promise<Decision> {
    const { permissions } = this.#rooms;
    return authorize(call, special ? { ...permissions, ...special } : permissions, options);
  }

  withheld(ref: ToolRef): Promise<JunctorError | undefined> | undefined {
    return this.permissions.locked(this.#deps.config.lock, ref)?.then(denied => denied?.error);
  }

  #call(ref: ToolRef, args: unknown, options: CallOptions): Promise<ToolResult> {
    const asking = this.#asking(options);
    if (!this.#deps.events.heard) return call(this.#rooms, ref, args, asking);
    const observer = observedBy(new CallEvents(this.#deps, ref, asking.observer), asking.observer);
    return call(this.#rooms, ref, args, { ...asking, observer });
  }

  /** A name that nobody was given yet: it may be one all the same. */
  async #callUnlisted(name: string, args: unknown, options: CallOptions): Promise<ToolResult> {
    return this.#call(await this.#deps.catalogue.locate(name, options.signal), args, options);
  }

  async #callOwn(name: string, args: object, options: CallOptions): Promise<ToolResult> {
    this.#ownTools ??= this.#deps.loadOwnTools();
    return (await this.#ownTools).call(name, { ...args }, options);
  }

  #asking(options: CallOptions): CallOptions {
    const { ask } = this.#deps;
    const asking = options.ask || !ask ? options : { ...options, ask };
    const { caller, session } = asking;
    return caller?.session === undefined || session !== undefined ? asking : { ...asking, session: caller.session };
  }

  /** Put together once for each config, and not for each call. */
  get #rooms(): CallRooms {
    const { config, links, offer, catalogue, answering } = this.#deps;
    const { gate, lock } = config;
    if (this.#latestRooms && this.#gate === gate) return this.#latestRooms;
    this.#gate = gate;
    this.#latestRooms = {
      permissions: this.permissions.deps({ gate, lock }),
      withheld: lock.isEmpty ? undefined : ref => this.withheld(ref),
      links,
      results: this.results,
      outputs: this.#deps.results.get().outputs,
      observer: this.#deps.results.get().statistics.statistics,
      repeatable: ({ server, tool }) => catalogue.repeatable(server, tool),
      list: server => offer.collect(server),
      answers: answering.answers,
    };
    return this.#latestRooms;
  }
}
