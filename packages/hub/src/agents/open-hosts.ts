/** The hosts of a hub: each follows its config files, leaves out the hub itself, and starts its servers once it is told. */
import { createHost, type Host, type HostOptions, type HostWatchListener, watchHost } from '@junctor/core';
import { isLoopback, type Scope, sweepExecutors } from '@junctor/core/inside';
import { Log, ownSurroundings } from '@junctor/core/light';
import type { AgentRows } from '../store/agent-rows.ts';
import { AgentBook } from './agent-book.ts';

export interface HubHostsOptions {
  readonly rows: AgentRows;
  /** What every host of the hub is opened with. */
  readonly hostOptions: HostOptions;
  /** Told of each host before its servers start; the scope ends with it. */
  readonly onHost?: ((host: Host, agent: string | undefined, scope: Scope) => void) | undefined;
  /** What becomes of config files that change, in words for people. */
  readonly onFiles?: HostWatchListener | undefined;
  /** Some servers of a host are new, others or gone. */
  readonly onServers?: ((host: Host) => void) | undefined;
  readonly onProblem: (sentence: string) => void;
  /** The address under which the hub is reached, where something stands before it. */
  readonly publicUrl?: string | undefined;
}

export interface HubHosts {
  readonly book: AgentBook;
  /** From now on servers start: the hub is reachable under this address. */
  begin(url: string): Promise<void>;
  close(): Promise<void>;
}

export async function openHosts({ onProblem, ...options }: HubHostsOptions): Promise<HubHosts> {
  const { rows, hostOptions, onHost, onServers, onFiles, publicUrl } = options;
  let address: string | undefined;
  const sweeping = new AbortController();
  const start = async (host: Host): Promise<void> => {
    if (address === undefined) return;
    await leaveOutSelf(host, publicUrl === undefined ? [address] : [address, publicUrl]);
    // Servers start while the hub is already reachable: a slow one delays nobody but itself. On another executor each waits
    // until it is needed: that may be a container, or another machine.
    if (host.resolution.executor === 'local' && host.loaded.frame.startup?.connect !== 'lazy') void host.start();
  };
  const book: AgentBook = await AgentBook.open({
    rows,
    onProblem,
    async openHost(more, scope) {
      const options = { nextSteps: 'commands', ...hostOptions, ...more, log: logOf(hostOptions, more) } as const;
      const host = await createHost(options);
      scope.defer(() => host.close());
      onHost?.(host, more.agent, scope);
      const watch = watchHost(host, options, {
        onReload(changes) {
          void start(host).then(() => onServers?.(host));
          book.tell(more.agent);
          // Every host hears of the same files; one of them tells.
          if (more.agent === undefined) onFiles?.onReload?.(changes);
        },
        onProblem(error) {
          if (more.agent === undefined) onFiles?.onProblem?.(error);
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
      sweeping.abort();
      await book.close();
    },
  };
}

/** What is said of a host that is not everybody's says whose it is. */
function logOf({ log }: HostOptions, { agent, executor }: Pick<HostOptions, 'agent' | 'executor'>): HostOptions['log'] {
  const isOwn = agent !== undefined || executor !== undefined;
  return isOwn && log instanceof Log ? log.about({ agent, executor }) : log;
}

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
