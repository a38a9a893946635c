/** Reads what the person asked for. */
import { parseArgs } from 'node:util';
import type { Contestants } from './bench.ts';
import { junctorHub, referenceParse, referenceSplice } from './contestants/gateways.ts';
import { ownLibraries } from './contestants/libraries.ts';
import { peerGateways } from './contestants/peers/gateways.ts';
import { peerLibraries } from './contestants/peers/libraries.ts';
import { type Peer, type PeerState, stateOf } from './contestants/peers/peer.ts';
import { big } from './workloads/big.ts';
import { calls } from './workloads/calls.ts';
import { catalogue } from './workloads/catalogue.ts';
import { chat } from './workloads/chat.ts';
import { cli } from './workloads/cli.ts';
import { config } from './workloads/config.ts';
import { connect } from './workloads/connect.ts';
import { idle } from './workloads/idle.ts';
import { list } from './workloads/list.ts';
import { memory } from './workloads/memory.ts';
import { page } from './workloads/page.ts';
import { pageLoad } from './workloads/page-load.ts';
import { start } from './workloads/start.ts';
import { trouble } from './workloads/trouble.ts';
import type { Workload } from './workloads/workload.ts';

export const WORKLOADS: readonly Workload[] = [
  calls,
  big,
  start,
  list,
  memory,
  idle,
  trouble,
  cli,
  config,
  connect,
  catalogue,
  chat,
  pageLoad,
  page,
];

export interface Options {
  readonly help: boolean;
  readonly workloads: readonly Workload[];
  readonly rounds: number;
  readonly contestants: Contestants;
  readonly peers: readonly (Peer & { readonly state: PeerState })[];
}

/** Throws a sentence when it is used wrongly. */
export function readOptions(argv: readonly string[], env: NodeJS.ProcessEnv): Options {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: { rounds: { type: 'string' }, only: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  const peers = env.PEERS_DIR
    ? [...peerLibraries, ...peerGateways].map(peer => ({ ...peer, state: stateOf(peer) }))
    : [];
  return {
    help: values.help ?? false,
    workloads: positionals.length > 0 ? positionals.map(findWorkload) : WORKLOADS,
    rounds: positiveNumber(values.rounds ?? '3'),
    contestants: chosen(values.only?.split(','), env.PEERS_DIR !== undefined),
    peers,
  };
}

function findWorkload(name: string): Workload {
  const workload = WORKLOADS.find(candidate => candidate.name === name);
  if (workload) return workload;
  throw new Error(`there is no workload '${name}'. Choose from: ${WORKLOADS.map(each => each.name).join(', ')}.`);
}

function positiveNumber(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new Error(`--rounds takes a whole number from 1 up, not '${text}'.`);
}

function chosen(only: readonly string[] | undefined, withPeers: boolean): Contestants {
  const installed = <T extends Peer>(peers: readonly T[]) =>
    withPeers ? peers.filter(peer => stateOf(peer).kind === 'installed') : [];
  const libraries = [...ownLibraries, ...installed(peerLibraries)];
  const gateways = [referenceParse, referenceSplice, junctorHub, ...installed(peerGateways)];
  const names = ['direct', ...[...libraries, ...gateways].map(({ name }) => name)];
  const unknown = only?.find(name => !names.includes(name));
  if (unknown) throw new Error(`nobody here is called '${unknown}'. Choose from: ${names.join(', ')}.`);
  const takesPart = ({ name }: { readonly name: string }) => only?.includes(name) ?? true;
  return {
    libraries: libraries.filter(takesPart),
    gateways: gateways.filter(takesPart),
    direct: takesPart({ name: 'direct' }),
  };
}
