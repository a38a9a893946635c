/**
 * Which servers a command reaches through the running hub: those that are the same there as here. Their processes, sign-ins and
 * sessions are shared then, and the call is in the hub's book. Any other server is reached directly.
 */
import { ERROR_CODES, type ResolvedServer, type ToolRef } from '@junctor/core';
import { deniedByLockfile } from '@junctor/core/internal';
import { dataDirectory, isJunctorError, JunctorError, type Told } from '@junctor/core/light';
import { findHub, type HubFile, serverFingerprint } from '@junctor/hub';
import type { Context } from '../context.ts';
import { HubRest } from './hub-rest.ts';
import { askFingerprints } from './open-pipe.ts';
import { workPlace } from './work-place.ts';

export type Way = 'hub' | 'direct';

/** As much of an explanation as is needed. */
interface Explained {
  readonly offer: { readonly because: string; readonly at: { readonly layer: string; readonly source: string } | null };
}

export class ThroughHub {
  readonly #context: Context;
  readonly #hub: HubFile | undefined;
  readonly #ways = new Map<string, Way>();
  /** Of the project that the hub serves to this command. */
  #project: string | undefined;

  private constructor(context: Context, hub: HubFile | undefined) {
    this.#context = context;
    this.#hub = hub;
  }

  /** `direct`: the person wants the servers themselves. */
  static async find(context: Context, { direct }: { readonly direct: boolean }): Promise<ThroughHub> {
    if (direct) return new ThroughHub(context, undefined);
    const hub = await findHub(dataDirectory(context.surroundings, context.global.data));
    if (hub) context.redactor.learn(hub.token);
    return new ThroughHub(context, hub);
  }

  /** For the host that is to go this way. */
  get hostOptions() {
    return this.#hub ? { reroute: (servers: ReadonlyMap<string, ResolvedServer>) => this.#reroute(servers) } : {};
  }

  wayTo(server: string): Way {
    return this.#ways.get(server) ?? 'direct';
  }

  /** The failure as the hub named it, where the hub and not the server is what answered with an error. */
  failureAt(server: string, error: unknown): unknown {
    if (this.wayTo(server) !== 'hub' || !isJunctorError(error, 'server_error')) return error;
    const { message, data } = error.cause as { readonly message: string; readonly data?: unknown };
    const { code, why } = (data ?? {}) as Partial<Told>;
    if (code === undefined || !Object.hasOwn(ERROR_CODES, code)) return error;
    // No hint: a server can send such an error as well, and nobody should type what a server suggests.
    return new JunctorError(code, message, { server, ...(typeof why === 'string' ? { why } : {}), cause: error });
  }

  /** The hub lists no tool that a lockfile hides: it knows why a tool is missing there. */
  async whyMissing<Failure>(ref: ToolRef, error: Failure): Promise<Failure | JunctorError> {
    if (this.wayTo(ref.server) !== 'hub' || !isJunctorError(error, 'tool_not_found')) return error;
    const hub = await HubRest.find(this.#context);
    const project = this.#project === undefined ? {} : { project: this.#project };
    const query = new URLSearchParams({ server: ref.server, tool: ref.tool, ...project });
    const explained = await hub?.ask<Explained>(`/api/explain?${query}`).catch(() => undefined);
    const { because, at } = explained?.offer ?? {};
    if (because === undefined || at?.layer !== 'lockfile') return error;
    return deniedByLockfile(ref, { file: at.source, why: because, approve: `${ref.server}/${ref.tool}` }).error;
  }

  /** Says which way these are reached. Without a hub there is but one, and nothing to say. */
  tell(servers: readonly string[]): void {
    if (!this.#hub) return;
    const through = servers.filter(server => this.wayTo(server) === 'hub');
    const direct = servers.filter(server => this.#ways.get(server) === 'direct');
    if (through.length > 0) this.#context.talk(`through the hub at ${this.#hub.url}: ${through.join(', ')}`);
    if (direct.length > 0)
      this.#context.log.debug(
        `directly: ${direct.join(', ')} as defined here is not what the hub at ${this.#hub.url} has`,
      );
  }

  async #reroute(servers: ReadonlyMap<string, ResolvedServer>): Promise<ReadonlyMap<string, ResolvedServer>> {
    const hub = this.#hub as HubFile;
    // A hub that does not answer is as good as none.
    const known = await askFingerprints(hub, workPlace(this.#context)).catch(() => undefined);
    this.#project = known?.project;
    const { cwd } = this.#context.surroundings;
    const rerouted = [...servers].map(([id, server]): [string, ResolvedServer] => {
      const isSame = known?.fingerprints.get(id) === serverFingerprint(server, cwd, hub.token);
      this.#ways.set(id, isSame ? 'hub' : 'direct');
      return [id, isSame ? atHub(server, hub, known?.project) : server];
    });
    return new Map(rerouted);
  }
}

/** The same server behind its own endpoint of the hub. */
function atHub(server: ResolvedServer, { url, token }: HubFile, project: string | undefined): ResolvedServer {
  return {
    ...server,
    mode: 'shared',
    // The era in which the hub has its servers: a process that waits for a session is taken, and none started.
    protocol: 'legacy',
    // What is remembered of a connection is remembered of this one.
    definition: `${server.definition} through a hub`,
    endpoint: {
      transport: 'http',
      url: `${url}/servers/${server.id}/mcp${project === undefined ? '' : `/w/${project}`}`,
      // Whoever calls has been asked here already, or a rule here allows it.
      headers: { authorization: `Bearer ${token}`, 'junctor-approved': 'yes' },
      program: undefined,
      signIn: { oauth: false, provider: undefined, account: undefined },
    },
  };
}
