/** Whether the address of a server leads anywhere: its host is known, and somebody accepts a connection there. */

import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect } from 'node:net';
import { JunctorError } from '../../base/error.ts';
import { withDeadline } from '../../base/time/deadline.ts';
import { monotonicMs } from '../../base/time/monotonic.ts';
import { type Finding, failed } from './finding.ts';

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'ws:': 80, 'https:': 443, 'wss:': 443 };

export interface Patience {
  readonly ms: number;
  readonly signal: AbortSignal;
}

export async function examineAddress(server: string, url: string, patience: Patience): Promise<Finding> {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const where = { host, port: Number(port) || (DEFAULT_PORTS[protocol] ?? 80) };
  const shown = `${hostname}:${where.port}`;
  const since = monotonicMs();
  try {
    const { address } = await withDeadline(lookup(host), { ...patience, error: () => silent(server, shown) });
    await knock(where, patience, () => silent(server, shown));
    const ms = Math.round(monotonicMs() - since);
    const detail =
      address === host ? `${shown} accepts connections` : `${shown} is ${address}, and accepts connections`;
    return { step: 'address', outcome: 'ok', detail, ms, facts: { host, port: where.port, address } };
  } catch (error) {
    patience.signal.throwIfAborted();
    return failed('address', error instanceof JunctorError ? error : unreachable(server, where.host, shown, error));
  }
}

/** Says nothing: it only waits to be let in. */
async function knock(
  where: { readonly host: string; readonly port: number },
  { ms, signal }: Patience,
  error: () => JunctorError,
): Promise<void> {
  const socket = connect(where);
  try {
    await withDeadline(once(socket, 'connect'), { ms, signal, error });
  } finally {
    // A refusal that comes after the time is up has nobody to tell any more.
    socket.on('error', () => {});
    socket.destroy();
  }
}

const UNKNOWN_HOST = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'ENODATA']);

function unreachable(server: string, host: string, shown: string, error: unknown): JunctorError {
  const { code, message } = error as NodeJS.ErrnoException;
  const unknown = code !== undefined && UNKNOWN_HOST.has(code);
  return new JunctorError(
    'connection_failed',
    unknown ? `The host '${host}' of server '${server}' is not known.` : `Nobody accepts a connection at ${shown}.`,
    {
      server,
      why: code ?? message,
      hint: unknown ? 'check the host in its url, and the network' : 'start the server, or check the port in its url',
      cause: error,
    },
  );
}

function silent(server: string, shown: string): JunctorError {
  return new JunctorError('timeout', `${shown} does not answer.`, {
    server,
    why: 'neither accepted nor refused: something on the way may swallow it',
    hint: 'check the port in its url, the network, and whether a firewall is in the way',
  });
}
