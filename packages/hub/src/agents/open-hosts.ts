/** The hosts of a hub: each follows its config files, leaves out the hub itself, and starts its servers once it is told. */
import { existsSync } from 'node:fs';
import {
  createHost,
  type Host,
  type HostOptions,
  type JunctorError,
  type ServerChanges,
  watchHost,
} from '@junctor/core';
import { isLoopback, type Scope, sweepExecutors } from '@junctor/core/internal';
import { Log, ownSurroundings } from '@junctor/core/light';
import type { AgentRows } from '../store/agent-rows.ts';
import { AgentBook, type MoreForHost, type OpenHost } from './agent-book.ts';
import { optionsIn } from './project-host.ts';
import type { Project } from './projects.ts';

export interface HubHostsOptions {
  readonly rows: AgentRows;
  /** What every host of the hub is opened with. */
  readonly hostOptions: HostOptions;
  /** Told of each host before its servers start; the scope ends with it. */
  readonly onHost?: ((opened: OpenHost, scope: Scope) => void) | undefined;
  readonly onFiles?: FilesListener | undefined;
  /** Some servers of a host are new, others or gone. */
  readonly onServers?: ((host: Host) => void) | undefined;
  readonly onProblem: (sentence: string) => void;
  /** The address under which the hub is reached, where something stands before it. */
  readonly publicUrl?: string | undefined;
  /** Whether a client is connected to this host, or waits for an answer of it. */
  readonly isBusy?: ((host: Host) => boolean) | undefined;
  readonly maxProjects?: number | undefined;
  /** A project's host nobody used for so long is closed. */
  readonly idleMs: number;
  /** The folder of a project is gone: its clients are sent away. */
  readonly onFolderGone?: ((project: Project) => void) | undefined;
}

/** What becomes of config files that change. `project`: the folder of the project they belong to. */
export interface FilesListener {
  onReload?(changes: ServerChanges, project: string | undefined): void;
  onProblem?(error: JunctorError, project: string | undefined): void;
}

export interface HubHosts {
  readonly book: AgentBook;
  /** From now on servers start: the hub is reachable under this address. */
  begin(url: string): Promise<void>;
  close(): Promise<void>;
}

export async function openHosts({ onProblem, ...options }: HubHostsOptions): Promise<HubHosts> {
  const { rows, hostOptions, onHost, onServers, onFiles, publicUrl, isBusy, maxProjects, idleMs } = options;
  let address: string | undefined;
  const sweeping = new AbortController();
  const ofProjects = new WeakSet<Host>();
  const isEager = (host: Host): boolean => {
    // Where the hub itself serves no project, agents mostly ask for one: what nobody asks for need not run.
    const isAsked = hostOptions.projectFiles !== 'none' || ofProjects.has(host);
    return isAsked && host.resolution.executor === 'local' && host.loaded.frame.startup?.connect !== 'lazy';
  };
  const start = async (host: Host): Promise<void> => {
    if (address === undefined) return;
    await leaveOutSelf(host, publicUrl === undefined ? [address] : [address, publicUrl]);
    // Servers start while the hub is already reachable: a slow one delays nobody but itself. On another executor each waits
    // until it is needed: that may be a container, or another machine.
    if (isEager(host)) void host.start();
  };
  const book: AgentBook = await AgentBook.open({
    rows,
    onProblem,
    isBusy,
    maxProjects,
    async openHost({ project, ...more }, scope) {
      const shared = {
        nextSteps: 'commands',
        ...hostOptions,
        ...more,
        log: logOf(hostOptions, more, project),
      } as const;
      const hostOptionsHere = project ? optionsIn(project.folder, shared) : shared;
      const host = await createHost(hostOptionsHere);
      scope.defer(() => host.close());
      if (project) ofProjects.add(host);
      onHost?.({ host, agent: more.agent, project }, scope);
      // Every host hears of the same files; one of them tells.
      const tells = more.agent === undefined && more.executor === undefined;
      const watch = watchHost(host, hostOptionsHere, {
        // A change of settings alone concerns the page too.
        onRead: () => book.tell(more.agent),
        onReload(changes) {
          // The files of a removed folder are gone with it: nobody works there any more.
          if (project && !existsSync(project.folder)) return options.onFolderGone?.(project);
          void start(host).then(() => onServers?.(host));
          if (tells) onFiles?.onReload?.(changes, project?.folder);
        },
        onProblem(error) {
          if (tells) onFiles?.onProblem?.(error, project?.folder);
        },
      });
      scope.defer(() => watch.close());
      await start(host);
      return host;
    },
    async onReloaded(host, { added, changed, removed }) {
      if (added.length + changed.length > 0) await start(host);
      if (added.length + changed.length + removed.length > 0) onServers?.(host);
    },
  });
  const look = (): void => {
    const open = new Map(book.allHosts().flatMap(({ project }) => (project ? [[project.id, project]] : [])));
    for (const project of open.values()) if (!existsSync(project.folder)) options.onFolderGone?.(project);
    book.closeUnused(idleMs);
  };
  const looking = setInterval(look, Math.min(idleMs, LOOK_EVERY_MS)).unref();
  return {
    book,
    async begin(url) {
      address = url;
      // What an earlier hub left there, which was killed with all that would have ended it.
      const { env } = hostOptions.surroundings ?? ownSurroundings();
      const signal = AbortSignal.any([AbortSignal.timeout(SWEEP_MS), sweeping.signal]);
      void sweepExecutors(book.common.loaded.frame, env, signal);
      await Promise.all(book.hosts().map(({ host }) => start(host)));
    },
    async close() {
      clearInterval(looking);
      sweeping.abort();
      await book.close();
    },
  };
}

/** What is said of a host that is not everybody's says whose it is. */
function logOf(
  { log }: HostOptions,
  { agent, executor }: MoreForHost,
  project: Project | undefined,
): HostOptions['log'] {
  const isOwn = agent !== undefined || executor !== undefined || project !== undefined;
  return isOwn && log instanceof Log ? log.about({ agent, executor, project: project?.folder }) : log;
}

/** How often it is looked for projects that nobody uses, or whose folder is gone. */
const LOOK_EVERY_MS = 30_000;

/** An executor that does not answer is nothing to wait for. */
const SWEEP_MS = 30_000;

/** A hub that is its own client would offer every tool twice, and answer itself. */
async function leaveOutSelf(host: Host, addresses: readonly string[]): Promise<void> {
  for (const { id, endpoint } of host.resolution.servers.values()) {
    // A program of its own cannot be this hub, and its port may not be known yet.
    if (endpoint.transport === 'stdio' || endpoint.program) continue;
    if (addresses.some(address => leadsTo(endpoint.url, address)))
      await host.links.leaveOut({ id, because: `its url, ${endpoint.url}, is this hub itself`, kind: 'broken' });
  }
}

/** Whether an address is a door of the hub at `url`. */
function leadsTo(address: string, url: string): boolean {
  const [target, own] = [new URL(address), new URL(url)];
  const same = (isLoopback(target) && isLoopback(own)) || target.hostname === own.hostname;
  return same && target.port === own.port && /^\/(mcp|sse|ws|servers)\//.test(target.pathname);
}
