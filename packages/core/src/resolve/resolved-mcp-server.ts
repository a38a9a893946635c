/** A resolved server as a plain value, for programs and people: what it is called, how and where it is reached. */
import type { TransportWord } from '../config/schema/server-words.ts';
import type { InstanceMode, ResolvedServer } from './roster.ts';

/** One server as plain values. */
export interface ResolvedMcpServer {
  /** Its id in the config. */
  readonly name: string;
  /** The word the config uses. */
  readonly transport: TransportWord;
  /** One instance for all sessions, or one each. */
  readonly mode: InstanceMode;
  /** The URL, or `stdio:` for a program that is talked to through pipes. */
  readonly endpoint: string;
  /** The address that a hub uses for sessions of this executor, where that is another one. */
  readonly hubEndpoint?: string;
  /** What its program gets beside a small safe set. */
  readonly env: Readonly<Record<string, string>>;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
}

/** `hubUrl`: as a hub on this machine reaches it. */
export function plainServer(
  { id, written, mode, endpoint }: ResolvedServer,
  hubUrl: string | undefined,
): ResolvedMcpServer {
  const about = { name: id, transport: written, mode };
  if (endpoint.transport === 'stdio') return { ...about, endpoint: 'stdio:', env: endpoint.env, headers: {} };
  const other = hubUrl === undefined || hubUrl === endpoint.url ? {} : { hubEndpoint: hubUrl };
  return { ...about, endpoint: endpoint.url, ...other, env: endpoint.program?.env ?? {}, headers: endpoint.headers };
}
