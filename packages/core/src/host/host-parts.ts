/** Builds the parts of a host from its config and options, hands each what it needs, and ends them together. */

import { Bus } from '../base/bus.ts';
import type { JunctorError } from '../base/error.ts';
import { Late } from '../base/late.ts';
import { Log } from '../base/log/log.ts';
import type { Redactor } from '../base/log/redact.ts';
import { stepAtCommandLine } from '../base/told.ts';
import { VERSION } from '../base/version.ts';
import { Heartbeats } from '../calls/heartbeat.ts';
import type { Memory } from '../catalogue/lists/memory.ts';
import { ToolViews } from '../catalogue/tool-views.ts';
import { describeProblem } from '../config/problem.ts';
import type { Wallet } from '../connections/auth/tokens/wallet.ts';
import { sandboxPolicyState } from '../connections/client-features/sandbox-policy.ts';
import { Links } from '../connections/links.ts';
import type { Pace } from '../connections/pace.ts';
import { compareRosters, type ServerChanges } from '../resolve/compare.ts';
import { Answering } from './answering.ts';
import { ConfigInForce } from './config/config-in-force.ts';
import { linkSettings, paceNumbers } from './config/link-settings.ts';
import type { Prepared } from './config/prepare.ts';
import type { HostEvent } from './events.ts';
import { HostCalls, type HostCallsDeps } from './host-calls.ts';
import { HostCatalogue } from './host-catalogue.ts';
import type { HostOptions } from './host-options.ts';
import { type HostPermissions, openPermissions } from './host-permissions.ts';
import { type HostResults, openResults } from './host-results.ts';
import { walletFor } from './host-wallet.ts';
import { listOptions, memoryFor } from './lists/catalogue-options.ts';
import { Offer } from './lists/offer.ts';
import { announceSignIn, type NewsRooms, onNotification, onState } from './server-news.ts';

/** What a host is made of. */
export interface HostInput {
  readonly prepared: Prepared;
  readonly options: HostOptions;
  readonly redactor: Redactor;
  /** Reads the config as it is written now. */
  readonly prepareAgain: () => Promise<Prepared>;
}

export class HostParts {
  readonly redactor: Redactor;
  readonly config: ConfigInForce;
  readonly events: Bus<HostEvent>;
  readonly heartbeats: Heartbeats;
  readonly answering: Answering;
  readonly wallet: Wallet;
  readonly links: Links;
  readonly offer: Offer;
  readonly catalogue: HostCatalogue;
  readonly calls: HostCalls;
  /** Only calls need these: they are made with the first call. */
  readonly #permissions: Late<HostPermissions>;
  readonly #results: Late<HostResults>;
  readonly #options: HostOptions;
  readonly #log: Log;
  readonly #memory: Memory;
  readonly #pace: Pace;

  constructor({ prepared, options, redactor, prepareAgain }: HostInput, loadOwnTools: HostCallsDeps['loadOwnTools']) {
    const config = new ConfigInForce(prepared, prepareAgain);
    const { frame, problems } = prepared.loaded;
    const log = Log.of(options.log, redactor).wished(frame.log?.level);
    for (const problem of problems) log.warn(describeProblem(problem));
    const events = new Bus<HostEvent>((error, { type }) => log.error('a listener failed', { event: type, error }));
    this.#options = options;
    this.redactor = redactor;
    this.config = config;
    this.#log = log;
    this.events = events;
    this.heartbeats = new Heartbeats(frame.health?.heartbeat_ms);
    this.#memory = memoryFor(options);
    const settings = linkSettings(prepared.loaded, options);
    this.#pace = settings.pace;
    const isTrusted = (server: string): boolean => config.resolution.servers.get(server)?.trusted ?? false;
    const answers = { ...options, log, isTrusted, emit: (event: HostEvent) => events.emit(event) };
    this.answering = new Answering(answers, sandboxPolicyState(frame, prepared.resolution));
    const rooms = (): NewsRooms => {
      const { links, offer, answering } = this;
      return {
        log,
        events,
        links,
        offer,
        answering,
        results: this.#results.made,
        nextStep: error => this.nextStep(error),
      };
    };
    this.wallet = walletFor(options, {
      redactor,
      log,
      onMoreScope: (server, error) => announceSignIn(rooms(), server, error),
    });
    this.links = new Links(prepared.resolution, {
      client: options.client ?? { name: 'junctor', version: VERSION },
      log,
      ...settings,
      answers: this.answering.answers,
      memory: this.#memory,
      wallet: this.wallet,
      pool: options.pool,
      problems: () => config.loaded.problems,
      onLaunched: () => this.offer.prepare(),
      onState: (server, state) => onState(rooms(), server, state),
      onNotification: (server, method, params) => onNotification(rooms(), server, method, params),
    });
    this.offer = new Offer(this.links, {
      ...options,
      ...listOptions(options, config.loaded.frame),
      log,
      memory: this.#memory,
      lock: () => config.lock,
      onChanged: (server, list) => events.emit({ type: 'list-changed', server, list }),
    });
    const { links, wallet, offer, heartbeats, answering } = this;
    const serverOf = (id: string) => config.loaded.servers.get(id);
    const expect = (id: string) => links.expect(id);
    const permissions = new Late(() => openPermissions({ options, events, redactor, log, offer, serverOf, expect }));
    const list = (server: string) => offer.collect(server);
    const known = (server: string, tool: string) => offer.known(server, tool);
    const results = new Late(() => openResults(options, config, { log, links, wallet, list, known }));
    this.#permissions = permissions;
    this.#results = results;
    const views = new ToolViews(() => config.loaded, options.naming);
    const catalogue = new HostCatalogue({ config, links, offer, views });
    const parts = { config, events, heartbeats, links, offer, answering, catalogue, permissions, results };
    this.catalogue = catalogue;
    this.calls = new HostCalls({ ...parts, ask: options.ask, loadOwnTools });
    options.signal?.addEventListener('abort', this.#onAbort);
    if (options.signal?.aborted) this.#onAbort();
  }

  nextStep(error: JunctorError): string | undefined {
    return this.#options.nextSteps === 'commands' ? stepAtCommandLine(error) : error.hint;
  }

  stepForPerson(error: JunctorError): string | undefined {
    const onlyInProgram = this.#options.nextSteps !== 'commands' && error.command !== undefined;
    return onlyInProgram ? undefined : stepAtCommandLine(error);
  }

  /** Goes over to the config as it is written now. */
  async reload(): Promise<ServerChanges> {
    const { config, links, offer } = this;
    const next = await config.readAgain();
    const changes = compareRosters(config.resolution, next.resolution);
    for (const id of [...changes.removed, ...changes.changed]) offer.forget(id);
    this.#results.made?.configure(next);
    this.heartbeats.change(next.loaded.frame.health?.heartbeat_ms);
    this.#pace.change(paceNumbers(next.loaded, this.#options));
    const locked = links.ids.filter(id => !next.lock.sameFor(id, config.lock));
    config.take(next);
    await links.update(next.resolution);
    this.answering.setPolicyState(links, sandboxPolicyState(next.loaded.frame, next.resolution));
    for (const server of locked) this.events.emit({ type: 'list-changed', server, list: 'tools' });
    return changes;
  }

  async close(): Promise<void> {
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    this.#permissions.made?.approvals.close();
    // At the same time: a token that is being renewed is waited for, and no program has to live on for that.
    await Promise.all([this.wallet.close(), this.links.closeAll()]);
    await this.#results.made?.close();
    await this.#memory.flush();
  }

  readonly #onAbort = (): void => {
    this.close().catch(error => this.#log.warn('could not close cleanly', { error }));
  };
}
