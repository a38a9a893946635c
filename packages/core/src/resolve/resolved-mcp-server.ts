/** A resolved server as a plain value, for programs and people: what it is called, how and where it is reached. */
import type { TransportWord } from '../config/server-words.ts';
import type { InstanceMode, ResolvedServer } from './roster.ts';

export interface ResolvedMcpServer {
  readonly name: string;
  readonly transport: TransportWord;
  readonly mode: InstanceMode;
  /** The URL, or `stdio:` for a program that is talked to through pipes. */
  readonly endpoint: string;
  readonly env: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

export function plainServer({ id, written, mode, endpoint }: ResolvedServer): ResolvedMcpServer {
  const about = { name: id, transport: written, mode };
  if (endpoint.transport === 'stdio') return { ...about, endpoint: 'stdio:', env: endpoint.env, headers: {} };
  return { ...about, endpoint: endpoint.url, env: endpoint.program?.env ?? {}, headers: endpoint.headers };
}
