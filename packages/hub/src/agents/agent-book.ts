/**
 * Who gets which servers. An agent with a config of its own has a host of its own: its servers may have the ids of others
 * and be something else. All other agents share the host of the config files. What is posted counts from that moment on:
 * servers that stay as they were live on, the rest begins, ends or is begun anew.
 */

import type { Host, HostOptions, ServerChanges } from '@junctor/core';
import { agentNamed, type Layer, Scope, sentenceOf } from '@junctor/core/internal';
import { agentId } from '@junctor/core/light';
import type { AgentRows } from '../store/agent-rows.ts';
import { AGENT_IDS } from './agent-ids.ts';
import { overridesFor, type StoredAgents } from './overrides.ts';
import { type Place, Places } from './places.ts';
import type { Project } from './projects.ts';
import { readStored } from './read-stored.ts';

export interface AgentBookOptions {
  readonly rows: AgentRows;
  /** Opens a host for one agent, or for all that share one. Its further undo steps go into the scope, which closes it. */
  openHost(more: MoreForHost, scope: Scope): Promise<Host>;
  /** A host has read its config again. */
  onReloaded?(host: Host, changes: ServerChanges): void | Promise<void>;
  /** What could not be put into force, in words for people. */
  onProblem?(sentence: string): void;
  /** Whether a client is connected to this host, or waits for an answer of it. */
  readonly isBusy?: ((host: Host) => boolean) | undefined;
  /** How many projects besides the hub's own may be open at once. */
  readonly maxProjects?: number | undefined;
}

/** What one host is opened with besides what all have in common. */
export interface MoreForHost extends Pick<HostOptions, 'agent' | 'overrides' | 'executor' | 'fromHere'> {
  readonly project?: Project | undefined;
}

/** A host, whose it is, and of which project. */
export interface OpenHost {
  readonly host: Host;
  /** The agent that has it for itself. */
  readonly agent: string | undefined;
  /** Undefined: what the hub itself serves. */
  readonly project: Project | undefined;
}

/** Each project may have a process for every server: more than this is rather a mistake than a need. */
export const DEFAULT_MAX_PROJECTS = 64;

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
  readonly #places: Places<Seat>;
  readonly #listeners = new Set<AgentListener>();
  #stored: StoredAgents;
  /** One change after the other. */
  #changing: Promise<unknown> = Promise.resolve();

  private constructor(options: AgentBookOptions, stored: StoredAgents) {
    this.#options = options;
    this.#stored = stored;
    const { isBusy, maxProjects = DEFAULT_MAX_PROJECTS } = options;
    this.#places = new Places({
      open: (agent, place) => this.#openSeat(agent, place),
      close: seat => {
        this.#end(seat, 'a project');
        this.tell(undefined);
      },
      isBusy: ({ host }) => isBusy?.(host) ?? false,
      maxProjects,
    });
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

  /** The host of an agent at a place, once `settle` has seen to it. */
  hostAt(agent: string | undefined, place: Place): Host | undefined {
    return isHere(place) ? this.hostOf(agent) : this.#places.get(this.#seatAt(agent, place), place)?.host;
  }

  /** Opens the host of an agent at a place. Undefined: it is open. */
  settle(agent: string | undefined, place: Place): Promise<unknown> | undefined {
    return isHere(place) ? undefined : this.#places.open(this.#seatAt(agent, place), place);
  }

  async settled(agent: string | undefined, place: Place): Promise<Host> {
    await this.settle(agent, place);
    return this.hostAt(agent, place) as Host;
  }

  /** Every host there is, those of other projects and executors included. */
  allHosts(): OpenHost[] {
    const here = this.hosts().map(one => ({ ...one, project: undefined }));
    const elsewhere = this.#places.all.map(({ seat, agent, place }) => ({
      ...{ host: seat.host, agent, project: place.project },
    }));
    return [...here, ...elsewhere];
  }

  /** Closes all that belongs to a project: it was removed, or its folder is gone. */
  closeProject(id: string): void {
    this.#places.closeProject(id);
  }

  /** Closes the hosts of projects that nobody used for so long. */
  closeUnused(idleMs: number): void {
    this.#places.closeUnused(idleMs);
  }

  /** Every host of this machine, with the agent that has it for itself. */
  hosts(): { readonly host: Host; readonly agent: string | undefined }[] {
    return [...this.#seats].map(([agent, { host }]) => ({ host, agent }));
  }

  /** The ids of the servers an agent gets. */
  async rosterFor(agent: string, host: Host = this.hostOf(agent)): Promise<ReadonlySet<string>> {
    return new Set(host.links.ids.filter(id => host.serves(agent, id)));
  }

  /** Agents we know by name, those that files name, and those that somebody stored something for. */
  ids(): string[] {
    const written = Object.keys(this.common.loaded.frame.agents ?? {}).map(agentId);
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
    await this.#places.settled();
    const elsewhere = this.#places.all.map(({ seat }) => seat);
    await Promise.all([...this.#seats.values(), ...elsewhere].map(({ scope }) => scope.close()));
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
    for (const [agent, seat] of this.#seats) {
      if (agent === undefined || this.#stored.configs.has(agent)) continue;
      this.#seats.delete(agent);
      this.#end(seat, `'${agent}'`);
    }
    return opened;
  }

  #end({ scope }: Seat, whose: string): void {
    void scope.close().catch(leak => this.#options.onProblem?.(`the servers of ${whose} did not end: ${leak}`));
  }

  async #openSeat(agent: string | undefined, { executor, project }: Place = {}): Promise<Seat> {
    // Asked each time the config is read: what is stored then counts.
    const overrides = (files: readonly Layer[]) => overridesFor(agent, this.#stored, files);
    const scope = new Scope();
    try {
      // The hub reaches servers from this machine, wherever its agents are.
      const place = executor === undefined ? {} : { executor, fromHere: true };
      const host = await this.#options.openHost(
        { overrides, project, ...place, ...(agent === undefined ? {} : { agent }) },
        scope,
      );
      return { host, scope };
    } catch (error) {
      await scope.close();
      throw error;
    }
  }

  /** Whose host an agent uses there: its own, where its config or its policy there is its own, or that of all. */
  #seatAt(agent: string | undefined, { executor, project }: Place): string | undefined {
    if (this.#stored.configs.has(agent ?? '')) return agent;
    if (executor === undefined) return undefined;
    // The files of a project may have a policy for this agent: they are read when its host is opened.
    const isItsOwn = project || agentNamed(this.common.loaded.frame, agent)?.executors?.[executor];
    return isItsOwn ? agent : undefined;
  }

  async #reloadElsewhere(): Promise<void> {
    await Promise.all(this.#places.all.map(({ seat }) => this.#reloadHost(seat.host)));
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

function isHere({ executor, project }: Place): boolean {
  return executor === undefined && project === undefined;
}
