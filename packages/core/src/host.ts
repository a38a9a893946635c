/** Builds the rooms and owns them. It holds no logic: each question is answered by the room it belongs to. */
import { randomUUID } from 'node:crypto';
import { Bus } from './base/bus.ts';
import { withDeadline } from './base/deadline.ts';
import { JunctorError, sentenceOf } from './base/error.ts';
import { Log } from './base/log.ts';
import { Redactor } from './base/redact.ts';
import { type Ask, type CallOptions, call, type ToolRef } from './call/call.ts';
import { collectTools } from './catalogue/collect.ts';
import type { Entry, ToolDefinition } from './catalogue/entry.ts';
import type { NamingStrategy } from './catalogue/naming/strategy.ts';
import { type Snapshot, takeSnapshot } from './catalogue/snapshot.ts';
import { type LoadMcpConfigOptions, loadMcpConfig, type McpConfigLoadResult } from './config/load.ts';
import { ownSurroundings } from './config/places.ts';
import type { HostEvent } from './events.ts';
import { Gate, type Verdict } from './gate/verdict.ts';
import type { ClientInfo } from './link/handshake.ts';
import type { Link, LinkState } from './link/link.ts';
import { Links } from './link/links.ts';
import { buildRoster, type ResolvedServer, type Roster } from './resolve/roster.ts';
import type { ToolResult } from './result/tool-result.ts';
import { VERSION } from './version.ts';

export interface HostOptions extends LoadMcpConfigOptions {
  /** A config as a value. With it no file is read unless `path` names one. */
  readonly config?: unknown;
  /** How tools are called in public. Default `mcp__`. */
  readonly naming?: NamingStrategy;
  /** Asks a person about a call that no rule allows. */
  readonly ask?: Ask;
  readonly client?: ClientInfo;
  readonly log?: Log;
}

export interface ServerFailure {
  readonly server: string;
  readonly error: JunctorError;
}

export interface SnapshotWait {
  readonly servers?: readonly string[];
  readonly patienceMs?: number;
}

export async function createHost(options: HostOptions = {}): Promise<Host> {
  return new Host(await loadMcpConfig(layersOf(options)), options);
}

function layersOf(options: HostOptions): LoadMcpConfigOptions {
  if (options.config === undefined) return options;
  const surroundings = options.surroundings ?? ownSurroundings();
  // A program that brings its own config gets that config, not whatever lies in the directory it runs in.
  const nowhere = { ...surroundings, cwd: '/', env: {} };
  return { isolated: true, overrides: options.config, path: options.path, surroundings: nowhere };
}

export class Host implements AsyncDisposable {
  readonly loaded: McpConfigLoadResult;
  readonly roster: Roster;
  readonly events: Bus<HostEvent> = new Bus();
  readonly links: Links;
  readonly #gate: Gate;
  readonly #options: HostOptions;
  readonly #tools = new Map<string, readonly ToolDefinition[]>();
  readonly #collecting = new Map<string, Promise<void>>();
  #snapshot: Snapshot | undefined;
  #snapshots = 0;

  constructor(loaded: McpConfigLoadResult, options: HostOptions = {}) {
    this.loaded = loaded;
    this.#options = options;
    this.roster = buildRoster(loaded);
    const trust = new Map([...this.roster.servers.values()].map(server => [server.id, server.trusted]));
    this.#gate = new Gate({ permissions: loaded.permissions, trust });
    this.links = new Links(this.roster, {
      client: options.client ?? { name: 'junctor', version: VERSION },
      environment: (options.surroundings ?? ownSurroundings()).env,
      log: options.log ?? silentLog(),
      onState: (server, state) => this.#onState(server, state),
      onNotification: (server, method) => this.#onNotification(server, method),
    });
  }

  /** Every tool of every server that answers. Servers that do not are left out; `failures()` names them. */
  async tools(): Promise<readonly Entry[]> {
    return (await this.snapshot()).entries;
  }

  /**
   * The catalogue with every reachable one of these servers in it. Servers that are still starting are waited for, but no
   * longer than `patienceMs`: they appear in the next snapshot.
   */
  async snapshot({ servers = this.links.ids, patienceMs }: SnapshotWait = {}): Promise<Snapshot> {
    const missing = servers.filter(id => !this.#tools.has(id));
    if (missing.length > 0) {
      const collecting = Promise.allSettled(missing.map(id => this.collect(id)));
      await (patienceMs === undefined ? collecting : atMost(patienceMs, collecting));
    }
    return this.#current();
  }

  /** The tools of one server, asked for once and kept until the server says they changed. */
  async collect(server: string): Promise<readonly ToolDefinition[]> {
    const known = this.#tools.get(server);
    if (known) return known;
    let collecting = this.#collecting.get(server);
    if (!collecting) {
      collecting = this.#collect(server).finally(() => this.#collecting.delete(server));
      this.#collecting.set(server, collecting);
    }
    await collecting;
    return this.#tools.get(server) ?? [];
  }

  /** Calls a tool by its public name, or by the pair of server and tool. */
  async call(target: string | ToolRef, args: unknown = {}, options: CallOptions = {}): Promise<ToolResult> {
    const ref =
      typeof target === 'string' ? (this.#snapshot?.byName.get(target) ?? (await this.#find(target))) : target;
    const asking = options.ask || !this.#options.ask ? options : { ...options, ask: this.#options.ask };
    if (!this.events.heard) return call(this.#rooms, ref, args, asking);
    return this.#announced(ref, () => call(this.#rooms, ref, args, asking));
  }

  judge(server: string, tool: string): Verdict {
    return this.#gate.judge(server, tool);
  }

  /** The servers that could not be reached, each with its reason. */
  failures(): ServerFailure[] {
    return this.links.ids.flatMap(server => {
      const state = this.links.state(server);
      return state.kind === 'error' || state.kind === 'auth_required' ? [{ server, error: state.lastError }] : [];
    });
  }

  server(id: string): ResolvedServer | undefined {
    return this.roster.servers.get(id);
  }

  async close(): Promise<void> {
    await this.links.closeAll();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  get #rooms(): { gate: Gate; links: Links } {
    return { gate: this.#gate, links: this.links };
  }

  #current(): Snapshot {
    this.#snapshot ??= takeSnapshot(this.#tools, {
      number: ++this.#snapshots,
      naming: this.#options.naming ?? 'mcp__',
    });
    return this.#snapshot;
  }

  async #collect(server: string): Promise<void> {
    const link = await this.links.ready(server);
    const tools = offersTools(link) ? (await collectTools(server, cursor => listPage(link, cursor))).tools : [];
    this.#tools.set(server, tools);
    this.#snapshot = undefined;
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

  #onState(server: string, state: LinkState): void {
    this.events.emit({ type: 'state-changed', server, state });
  }

  #onNotification(server: string, method: string): void {
    if (method !== 'notifications/tools/list_changed') return;
    this.#tools.delete(server);
    this.#snapshot = undefined;
    this.events.emit({ type: 'list-changed', server, list: 'tools' });
  }
}

/** Waits for the work or for the time, whichever ends first. The work goes on either way. */
async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const timeUp = new Error('time is up');
  await withDeadline(work, { ms, error: () => timeUp }).catch(error => {
    if (error !== timeUp) throw error;
  });
}

function offersTools(link: Link): boolean {
  return link.greeting.capabilities.tools !== undefined;
}

async function listPage(link: Link, cursor: string | undefined): Promise<object> {
  return (await link.request('tools/list', cursor === undefined ? {} : { cursor })) as object;
}

function silentLog(): Log {
  return new Log({ level: 'error', write: () => {}, redactor: new Redactor() });
}
