/**
 * One try of one server: a host of its own that knows no other server, remembers nothing and is closed before anybody tries
 * again. Whatever is started for it carries a mark, so that one can see afterwards whether all of it is gone.
 */

import { isJunctorError, type JunctorError } from '../../base/error.ts';
import type { Redactor } from '../../base/log/redact.ts';
import { monotonicMs } from '../../base/time/monotonic.ts';
import type { Link } from '../../connections/link.ts';
import type { Environment } from '../../connections/process/environment.ts';
import type { Greeting } from '../../connections/protocol/handshake.ts';
import { Host } from '../../host/host.ts';
import type { HostOptions } from '../../host/host-options.ts';
import { NO_LOCK } from '../../permissions/lockfile/tool-lock.ts';
import type { ResolvedServer } from '../../resolve/roster.ts';
import { processesWith } from './processes.ts';

/** What all tries of one visit share. */
export interface Practice {
  /** Knows the config and the sign-ins. It connects to nobody. */
  readonly host: Host;
  readonly options: HostOptions;
  readonly environment: Environment;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
}

export type Look =
  | {
      readonly ok: true;
      readonly greeting: Greeting;
      /** The transport that worked, which may be an older one than the config says. */
      readonly transport: ResolvedServer['endpoint']['transport'];
      readonly ms: number;
      readonly pids: readonly number[];
      /** What it said outside the protocol. */
      readonly lastWords: string | undefined;
    }
  | { readonly ok: false; readonly error: JunctorError; readonly ms: number };

export const DOCTOR_VARIABLE = 'JUNCTOR_DOCTOR';

/** `inside` uses the link while it is open. */
export async function look(
  practice: Practice,
  server: ResolvedServer,
  inside: (link: Link) => Promise<void> = async () => {},
): Promise<Look> {
  practice.signal.throwIfAborted();
  await using host = hostFor(practice, server);
  const since = monotonicMs();
  const elapsed = (): number => Math.round(monotonicMs() - since);
  try {
    const link = await host.links.ready(server.id);
    const ms = elapsed();
    await inside(link);
    practice.signal.throwIfAborted();
    const pids = (await processesOf(server)) ?? [];
    const { transport } = link.server.endpoint;
    return { ok: true, greeting: link.greeting, transport, ms, pids, lastWords: link.conversation.lastWords() };
  } catch (error) {
    practice.signal.throwIfAborted();
    if (!isJunctorError(error)) throw error;
    return { ok: false, error, ms: elapsed() };
  }
}

function hostFor({ host, options, redactor, signal }: Practice, server: ResolvedServer): Host {
  const only = { ...host.resolution, servers: new Map([[server.id, server]]), leftOut: [] };
  // What is wrong with the files is told once, not by each host.
  const loaded = { ...host.loaded, problems: [] };
  const prepared = { loaded, unapproved: host.unapproved, waiting: [], resolution: only, lock: NO_LOCK };
  const own: HostOptions = { ...options, redactor, signal, attempts: 1, remember: false };
  return new Host({ prepared, options: own, redactor, prepareAgain: async () => prepared });
}

/** The same server, with a mark on its processes. */
export function marked(server: ResolvedServer, mark: string): ResolvedServer {
  const { endpoint } = server;
  const withMark = <P extends { readonly env: Readonly<Record<string, string>> }>(program: P): P => ({
    ...program,
    env: { ...program.env, [DOCTOR_VARIABLE]: mark },
  });
  if (endpoint.transport === 'stdio') return { ...server, endpoint: withMark(endpoint) };
  return { ...server, endpoint: { ...endpoint, program: endpoint.program && withMark(endpoint.program) } };
}

/** Undefined where this system does not tell. */
export async function processesOf({ endpoint }: ResolvedServer): Promise<number[] | undefined> {
  const mark = (endpoint.transport === 'stdio' ? endpoint : endpoint.program)?.env[DOCTOR_VARIABLE];
  if (mark === undefined) return [];
  return (await processesWith(DOCTOR_VARIABLE))?.filter(({ value }) => value === mark).map(({ pid }) => pid);
}
