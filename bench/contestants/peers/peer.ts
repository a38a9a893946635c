/**
 * What peers have in common. Each lives in a directory of its own below PEERS_DIR, installed by the person who wants it
 * measured; the bench installs nothing.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Gateway, isHttp, type Library, type StdioUpstream, type Upstream } from '../contestant.ts';

export interface Peer {
  readonly name: string;
  readonly directory: string;
  readonly package: string;
}

export type PeerLibrary = Library & Peer;
export type PeerGateway = Gateway & Peer;

export type PeerState =
  | { readonly kind: 'installed'; readonly version: string }
  | { readonly kind: 'missing'; readonly installCommand: string };

export function stateOf(peer: Peer): PeerState {
  const manifest = peerFile(peer.directory, join(peer.package, 'package.json'));
  if (existsSync(manifest)) {
    return { kind: 'installed', version: (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version };
  }
  return { kind: 'missing', installCommand: `npm install --prefix ${home(peer.directory)} ${peer.package}` };
}

export function peerFile(directory: string, file: string): string {
  return join(home(directory), 'node_modules', file);
}

/** Imports a package as if a file of the peer's directory did. The worker is started with the flag this needs. */
export async function importFrom<T>(directory: string, specifier: string): Promise<T> {
  const parent = pathToFileURL(join(home(directory), 'host.js')).href;
  return (await import(import.meta.resolve(specifier, parent))) as T;
}

function home(directory: string): string {
  return join(process.env.PEERS_DIR ?? '', directory);
}

export type Arguments = Readonly<Record<string, unknown>>;
export type Call = (args: Arguments, context?: object) => Promise<unknown>;

export function each<T, R>(all: readonly T[], run: (one: T) => Promise<R>): Promise<R[]> {
  return Promise.all(all.map(run));
}

export function byName(upstreams: readonly Upstream[], describe: (upstream: Upstream) => object): object {
  return Object.fromEntries(upstreams.map(upstream => [upstream.name, describe(upstream)]));
}

/** The spelling that most config files share. */
export function plain(upstream: Upstream): object {
  return isHttp(upstream) ? { url: upstream.url } : programOf(upstream);
}

export function programOf({ command, args }: StdioUpstream): object {
  return { command, args };
}

/** Peers hand results on in shapes of their own: an MCP result, its content, or the text alone. */
export function text(result: unknown): string {
  if (typeof result === 'string') return result;
  const shaped = result as { content?: { text?: string }[]; text?: string } & { text?: string }[];
  return shaped?.content?.[0]?.text ?? shaped?.[0]?.text ?? shaped?.text ?? JSON.stringify(result);
}
