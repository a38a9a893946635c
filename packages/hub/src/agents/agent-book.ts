/**
 * Who gets which servers. An agent with a config of its own has a host of its own: its servers may have the ids of others
 * and be something else. All other agents share the host of the config files. What is posted counts from that moment on:
 * servers that stay as they were live on, the rest begins, ends or is begun anew.
 */
import type { Host, HostOptions, ServerChanges } from '@junctor/core';
import { agentNamed, type Layer, Scope, sentenceOf } from '@junctor/core/inside';
import type { AgentRows } from '../store/agent-rows.ts';
import { AGENT_IDS } from './agent-ids.ts';
import { Elsewhere } from './elsewhere.ts';
import { overridesFor, type StoredAgents } from './overrides.ts';
import { readStored } from './read-stored.ts';

export interface AgentBookOptions {
  readonly rows: AgentRows;
  /** Opens a host for one agent, or for all that share one. Its further undo steps go into the scope, which closes it. */
  openHost(more: Pick<HostOptions, 'agent' | 'overrides' | 'executor' | 'fromHere'>, scope: Scope): Promise<Host>;
  /** A host has read its config again. */
  onReloaded?(host: Host, changes: ServerChanges): void | Promise<void>;
  /** What could not be put into force, in words for people. */
  onProblem?(sentence: string): void;
}

/** Whose servers may be others now; undefined: everybody's. */
export type AgentListener = (agent: string | undefined) => void;

interface Seat {
  readonly host: Host;
  readonly scope: Scope;
}

export class AgentBook implements AsyncDisposable {
  readonly #options: AgentBookOptions;
  /** Under no name: the host of all that have none of their own. */
  readonly #seats = new Map<string | undefined, Seat>();
  /** For sessions on other executors, each opened when the first of them comes. */
  readonly #elsewhere: Elsewhere<Seat>;
  readonly #listeners = new Set<AgentListener>();
  #stored: StoredAgents;
  /** One change after the other. */
  #changing: Promise<unknown> = Promise.resolve();

  private constructor(options: AgentBookOptions, stored: StoredAgents) {
    this.#options = options;
    this.#stored = stored;
    this.#elsewhere = new Elsewhere((agent, executor) => this.#openSeat(agent, executor));
  }

  static async open(options: AgentBookOptions): Promise<AgentBook> {
    const book = new AgentBook(options, await readStored(options.rows));
    try {
      await book.#seatAll();
      return book;
    } catch (error) {
      await book.close();
      throw error;
    }
  }

  /** The host of every agent without a config of its own. */
  get common(): Host {
    return (this.#seats.get(undefined) as Seat).host;
  }

  get stored(): StoredAgents {
    return this.#stored;
  }

  /** The host behind an agent's door. */
  hostOf(agent: string | undefined): Host {
    return this.#seats.get(agent)?.host ?? this.common;
  }

  /** The host of an agent on an executor, once `settle` has seen to it. */
  hostOn(agent: string | undefined, executor: string): Host | undefined {
    return this.#elsewhere.get(this.#seatOn(agent, executor), executor)?.host;
  }

  /** Opens the host of an agent on an executor. Undefined: it is open. */
  settle(agent: string | undefined, executor: string): Promise<unknown> | undefined {
    return this.#elsewhere.open(this.#seatOn(agent, executor), executor);
  }

  async settled(agent: string | undefined, executor: string): Promise<Host> {
    await this.settle(agent, executor);
    return this.hostOn(agent, executor) as Host;
  }

  /** The hosts of sessions on other executors. */
  hostsElsewhere(): Host[] {
    return this.#elsewhere.all.map(({ host }) => host);
  }

  /** Every host of this machine, with the agent that has it for itself. */
  hosts(): { readonly host: Host; readonly agent: string | undefined }[] {
    return [...this.#seats].map(([agent, { host }]) => ({ host, agent }));
  }

  /** The ids of the servers an agent gets. */
  async rosterFor(agent: string): Promise<ReadonlySet<string>> {
    const host = this.hostOf(agent);
    return new Set(host.links.ids.filter(id => host.serves(agent, id)));
  }

  /** Agents we know by name, those that files name, and those that somebody stored something for. */
  ids(): string[] {
    const written = Object.keys(this.common.loaded.frame.agents ?? {}).map(name => name.toLowerCase());
    return [...new Set([...AGENT_IDS, ...written, ...this.#stored.configs.keys(), ...this.#stored.overrides.keys()])];
  }

  knows(agent: string): boolean {
    return AGENT_IDS.has(agent) || this.ids().includes(agent);
  }

  /** Tells when an agent's servers may be others than before; the returned function stops. */
  onChange(listener: AgentListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** For whoever changed what agents get in another way than by what is stored. */
  tell(agent: string | undefined): void {
    for (const listener of this.#listeners) listener(agent);
  }

  /** Puts into force what is stored now. `agent`: whose config changed, where it is known. */
  refresh(agent?: string): Promise<void> {
    return this.#inTurn(async () => {
      this.#stored = await readStored(this.#options.rows);
      const opened = await this.#seatAll();
      const concerned = agent === undefined ? [...this.#seats.keys()] : [agent];
      await Promise.all([
        ...concerned.filter(one => !opened.has(one)).map(one => this.#reload(one)),
        this.#reloadElsewhere(),
      ]);
      this.tell(agent);
    });
  }

  /** Reads the config files again, for every host: for whoever has just written one. */
  reload(): Promise<void> {
    return this.#inTurn(async () => {
      await Promise.all([...[...this.#seats.keys()].map(agent => this.#reload(agent)), this.#reloadElsewhere()]);
      this.tell(undefined);
    });
  }

  async close(): Promise<void> {
    await this.#changing;
    await this.#elsewhere.settled();
    await Promise.all([...this.#seats.values(), ...this.#elsewhere.all].map(({ scope }) => scope.close()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#changing.then(work);
    this.#changing = done.catch(() => {});
    return done;
  }

  /** Opens the hosts that are missing, which it returns, and closes those nobody needs any more. */
  async #seatAll(): Promise<ReadonlySet<string | undefined>> {
    const opened = new Set<string | undefined>();
    for (const agent of [undefined, ...this.#stored.configs.keys()]) {
      if (this.#seats.has(agent)) continue;
      this.#seats.set(agent, await this.#openSeat(agent));
      opened.add(agent);
    }
    for (const [agent, { scope }] of this.#seats) {
      if (agent === undefined || this.#stored.configs.has(agent)) continue;
      this.#seats.delete(agent);
      void scope.close().catch(leak => this.#options.onProblem?.(`the servers of '${agent}' did not end: ${leak}`));
    }
    return opened;
  }

  async #openSeat(agent: string | undefined, executor?: string): Promise<Seat> {
    // Asked each time the config is read: what is stored then counts.
    const overrides = (files: readonly Layer[]) => overridesFor(agent, this.#stored, files);
    const scope = new Scope();
    try {
      // The hub reaches servers from this machine, wherever its agents are.
      const place = executor === undefined ? {} : { executor, fromHere: true };
      const host = await this.#options.openHost(
        { overrides, ...place, ...(agent === undefined ? {} : { agent }) },
        scope,
      );
      return { host, scope };
    } catch (error) {
      await scope.close();
      throw error;
    }
  }

  /** Whose host an agent uses there: its own, where its config or its policy there is its own, or that of all. */
  #seatOn(agent: string | undefined, executor: string): string | undefined {
    const isItsOwn = this.#seats.has(agent) || agentNamed(this.common.loaded.frame, agent)?.executors?.[executor];
    return isItsOwn ? agent : undefined;
  }

  async #reloadElsewhere(): Promise<void> {
    await Promise.all(this.#elsewhere.all.map(({ host }) => this.#reloadHost(host)));
  }

  async #reload(agent: string | undefined): Promise<void> {
    const host = this.#seats.get(agent)?.host;
    if (host) await this.#reloadHost(host);
  }

  async #reloadHost(host: Host): Promise<void> {
    try {
      await this.#options.onReloaded?.(host, await host.reload());
    } catch (error) {
      // A broken config file keeps the last good config in use; what is stored counts once the file is mended.
      this.#options.onProblem?.(sentenceOf(error));
    }
  }
}
