/** Builds the rooms and owns them. It holds no logic: each question is answered by the room it belongs to. */
import { randomUUID } from 'node:crypto';
import { Bus } from './base/bus.ts';
import { JunctorError, sentenceOf } from './base/error.ts';
import { Log } from './base/log.ts';
import { Redactor } from './base/redact.ts';
import { type Ask, type CallOptions, call, type ToolRef } from './call/call.ts';
import type { Entry, ToolDefinition } from './catalogue/entry.ts';
import { NAMING_STRATEGIES, type NamingStrategy } from './catalogue/naming/strategy.ts';
import type { Snapshot } from './catalogue/snapshot.ts';
import { newProblems } from './config/diff.ts';
import type { LoadMcpConfigOptions, McpConfigLoadResult } from './config/load.ts';
import { ownSurroundings } from './config/places.ts';
import { describeProblem } from './config/problem.ts';
import type { HostEvent } from './events.ts';
import { Gate, type Verdict } from './gate/verdict.ts';
import type { ClientInfo } from './link/handshake.ts';
import type { LinkState } from './link/link.ts';
import { Links, type LinksOptions } from './link/links.ts';
import { unusable } from './link/unusable.ts';
import { Offer, type SnapshotWait } from './offer.ts';
import { type Prepared, prepare } from './prepare.ts';
import { compareRosters, type ServerChanges } from './resolve/compare.ts';
import { type Resolution, type ResolveInput, resolve } from './resolve/resolve.ts';
import type { ResolvedServer } from './resolve/roster.ts';
import type { ToolResult } from './result/tool-result.ts';
import { VERSION } from './version.ts';

export interface HostOptions extends LoadMcpConfigOptions, Pick<ResolveInput, 'agent' | 'executor' | 'session'> {
  /** A config as a value. With it no file is read unless `path` names one. */
  readonly config?: unknown;
  /** Where tokens, secrets and approvals are kept. Default: `$JUNCTOR_DATA`, else the person's data directory. */
  readonly data?: string | undefined;
  /** How tools are called in public. Default: what the config says, else `mcp__`. */
  readonly naming?: NamingStrategy;
  /** Asks a person about a call that no rule allows. */
  readonly ask?: Ask;
  readonly client?: ClientInfo;
  readonly log?: Log;
  /** Learns every secret that is resolved for this host. */
  readonly redactor?: Redactor;
  /** How often in a row a server that cannot be reached is tried. Default: what `health` says, else 5. */
  readonly attempts?: number;
  /** Closes the host, and gives up whatever is being started. */
  readonly signal?: AbortSignal;
}

export interface ServerFailure {
  readonly server: string;
  readonly error: JunctorError;
}

export async function createHost(options: HostOptions = {}): Promise<Host> {
  const surroundings = options.surroundings ?? ownSurroundings();
  const redactor = options.redactor ?? new Redactor();
  const again = (): Promise<Prepared> => prepare({ ...options, ...givenConfig(options), surroundings, redactor });
  return new Host(await again(), options, redactor, again);
}

/** A program that brings its own config gets that config, not whatever lies in the directory it runs in. */
function givenConfig({ config, overrides, path }: HostOptions): LoadMcpConfigOptions {
  if (config === undefined) return {};
  return { overrides: overrides ?? config, isolated: true, path, withoutDiscovery: true };
}

export class Host implements AsyncDisposable {
  readonly events: Bus<HostEvent> = new Bus();
  readonly links: Links;
  readonly #options: HostOptions;
  readonly #redactor: Redactor;
  readonly #prepareAgain: () => Promise<Prepared>;
  readonly #offer: Offer;
  /** The servers each agent gets, worked out once for each config. */
  #allowed = new Map<string, ReadonlySet<string>>();
  #prepared: Prepared;
  #gate: Gate;

  constructor(prepared: Prepared, options: HostOptions, redactor: Redactor, prepareAgain: () => Promise<Prepared>) {
    this.#prepared = prepared;
    this.#options = options;
    this.#prepareAgain = prepareAgain;
    this.#redactor = redactor;
    this.#gate = gateFor(prepared);
    this.links = new Links(prepared.resolution, {
      client: options.client ?? { name: 'junctor', version: VERSION },
      environment: (options.surroundings ?? ownSurroundings()).env,
      log: options.log ?? silentLog(),
      ...watchfulness(prepared.loaded, options),
      onState: (server, state) => this.#onState(server, state),
      onNotification: (server, method) => this.#onNotification(server, method),
    });
    this.#offer = new Offer(this.links);
    options.signal?.addEventListener('abort', this.#onAbort);
  }

  /** What is written, layer by layer. */
  get loaded(): McpConfigLoadResult {
    return this.#prepared.loaded;
  }

  /** A text with the secrets of this host masked: for whatever leaves it as words. */
  mask(text: string): string {
    return this.#redactor.mask(text);
  }

  /** Rules, policies and switches of project files that do not count until a person approved them. */
  get unapproved(): readonly string[] {
    return this.#prepared.unapproved;
  }

  /** What of it may run here. */
  get resolution(): Resolution {
    return this.#prepared.resolution;
  }

  /**
   * Reads the config again. Servers that changed are restarted, new ones are known, gone ones end; the rest is not
   * touched. A config with problems that the present one has not is not taken over: the error names them.
   */
  async reload(): Promise<ServerChanges> {
    const next = await this.#prepareAgain();
    const fresh = newProblems(this.loaded, next.loaded);
    if (fresh.length > 0) {
      throw new JunctorError('config_invalid', 'The changed config has problems; the last good one stays in use.', {
        why: fresh.map(describeProblem).join('\n'),
        hint: 'mend what is named and save again',
      });
    }
    const changes = compareRosters(this.resolution, next.resolution);
    for (const id of [...changes.removed, ...changes.changed]) this.#offer.drop(id);
    this.#prepared = next;
    this.#allowed = new Map();
    this.#gate = gateFor(next);
    await this.links.update(next.resolution);
    return changes;
  }

  /** Every tool of every server that answers. Servers that do not are left out; `failures()` names them. */
  async tools(): Promise<readonly Entry[]> {
    return (await this.snapshot()).entries;
  }

  /**
   * The catalogue with every reachable one of these servers in it. Servers that are still starting are waited for, but no
   * longer than `patienceMs`: they appear in the next snapshot.
   */
  snapshot(wait: SnapshotWait = {}): Promise<Snapshot> {
    return this.#offer.snapshot(this.#options.naming ?? configuredNaming(this.loaded), wait);
  }

  /** The tools of one server, asked for once and kept until the server says they changed. */
  collect(server: string): Promise<readonly ToolDefinition[]> {
    return this.#offer.collect(server);
  }

  /** Calls a tool by its public name, or by the pair of server and tool. */
  async call(target: string | ToolRef, args: unknown = {}, options: CallOptions = {}): Promise<ToolResult> {
    const ref =
      typeof target === 'string' ? (this.#offer.latest?.byName.get(target) ?? (await this.#find(target))) : target;
    const asking = options.ask || !this.#options.ask ? options : { ...options, ask: this.#options.ask };
    if (!this.events.heard) return call(this.#rooms, ref, args, asking);
    return this.#announced(ref, () => call(this.#rooms, ref, args, asking));
  }

  judge(server: string, tool: string): Verdict {
    return this.#gate.judge(server, tool);
  }

  /** The servers that could not be reached, or not even tried, each with its reason. One that is switched off is neither. */
  failures(): ServerFailure[] {
    const unreachable = this.links.ids.flatMap((server): ServerFailure[] => {
      const state = this.links.state(server);
      return state.kind === 'error' || state.kind === 'auth_required' ? [{ server, error: state.lastError }] : [];
    });
    const untried = this.resolution.leftOut
      .filter(({ kind }) => kind === 'waiting' || kind === 'broken')
      .map(leftOut => ({ server: leftOut.id, error: unusable(leftOut) }));
    return [...unreachable, ...untried];
  }

  /** Whether this agent gets this server. */
  serves(agent: string, server: string): boolean {
    let allowed = this.#allowed.get(agent);
    if (!allowed) {
      allowed = new Set(resolve({ config: this.loaded, agent }).servers.keys());
      this.#allowed.set(agent, allowed);
    }
    return allowed.has(server);
  }

  server(id: string): ResolvedServer | undefined {
    return this.resolution.servers.get(id);
  }

  async close(): Promise<void> {
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    await this.links.closeAll();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  get #rooms(): { gate: Gate; links: Links } {
    return { gate: this.#gate, links: this.links };
  }

  async #find(name: string): Promise<ToolRef> {
    const entry = (await this.snapshot()).byName.get(name);
    if (entry) return entry;
    const failed = this.failures().map(({ server }) => server);
    throw new JunctorError('tool_not_found', `There is no tool '${name}'.`, {
      ...(failed.length > 0 ? { why: `these servers did not answer: ${failed.join(', ')}` } : {}),
      hint: 'junctor mcp tools',
    });
  }

  async #announced(ref: ToolRef, run: () => Promise<ToolResult>): Promise<ToolResult> {
    const about = { server: ref.server, tool: ref.tool, call_id: randomUUID() };
    this.events.emit({ type: 'tool-call-begin', ...about });
    try {
      const result = await run();
      this.events.emit({ type: 'tool-call-end', ...about, result, is_error: !result.success });
      return result;
    } catch (error) {
      this.events.emit({ type: 'tool-call-end', ...about, result: sentenceOf(error), is_error: true });
      throw error;
    }
  }

  readonly #onAbort = (): void => void this.close();

  #onState(server: string, state: LinkState): void {
    this.events.emit({ type: 'state-changed', server, state });
  }

  #onNotification(server: string, method: string): void {
    if (method !== 'notifications/tools/list_changed') return;
    this.#offer.drop(server);
    this.events.emit({ type: 'list-changed', server, list: 'tools' });
  }
}

function gateFor({ loaded, resolution }: Prepared): Gate {
  const trust = new Map([...resolution.servers.values()].map(server => [server.id, server.trusted]));
  return new Gate({ permissions: loaded.frame.permissions ?? {}, trust });
}

const DEFAULT_ATTEMPTS = 5;
const DEFAULT_PING_INTERVAL_MS = 30_000;
const DEFAULT_PING_TIMEOUT_MS = 5000;

function watchfulness({ frame }: McpConfigLoadResult, options: HostOptions): Pick<LinksOptions, 'attempts' | 'health'> {
  const { reconnect_attempts, ping_interval_ms, ping_timeout_ms } = frame.health ?? {};
  return {
    attempts: options.attempts ?? reconnect_attempts ?? DEFAULT_ATTEMPTS,
    health: {
      pingIntervalMs: ping_interval_ms ?? DEFAULT_PING_INTERVAL_MS,
      pingTimeoutMs: ping_timeout_ms ?? DEFAULT_PING_TIMEOUT_MS,
    },
  };
}

function configuredNaming({ frame }: McpConfigLoadResult): NamingStrategy {
  const named = frame.naming?.strategy;
  return named !== undefined && Object.hasOwn(NAMING_STRATEGIES, named) ? (named as NamingStrategy) : 'mcp__';
}

function silentLog(): Log {
  return new Log({ level: 'error', write: () => {}, redactor: new Redactor() });
}
