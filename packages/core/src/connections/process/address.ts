/** Whether somebody listens at a URL, and waiting until that is so. */

import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '../../base/time/monotonic.ts';

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'ws:': 80, 'https:': 443, 'wss:': 443 };

/** A machine far away that does not answer must not hold up the next look. */
const KNOCK_MS = 1000;
/** Forwarders on this machine accept before there is anybody behind them, and hang up at once. */
const HOLD_MS = 30;

const FIRST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 250;

export function portOf(url: string): number {
  const { port, protocol } = new URL(url);
  return Number(port) || (DEFAULT_PORTS[protocol] ?? 80);
}

/** The same URL at another `host:port`. */
export function at(address: string, url: string): string {
  return Object.assign(new URL(url), { host: address }).href;
}

/**
 * Whether a connection is accepted and not hung up at once. Behind a forwarder to elsewhere that says nothing, however long it
 * lasts: there a word is said, and any answer will do.
 */
export function listensAt(url: string, { behindForwarder = false } = {}): Promise<boolean> {
  const { hostname, host } = new URL(url);
  return new Promise(resolve => {
    const socket: Socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: portOf(url),
      timeout: KNOCK_MS,
    });
    let timer: NodeJS.Timeout | undefined;
    const finish = (answer: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => {
      socket.once('data', () => finish(true));
      if (behindForwarder) socket.write(`OPTIONS / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      else timer = setTimeout(finish, HOLD_MS, true);
    });
    socket.once('timeout', () => finish(false));
    socket.once('error', () => finish(false));
    socket.once('end', () => finish(false));
  });
}

/** Looks again and again, at first often, until it is as wished, the time is over, or the signal is raised. */
export async function untilListening(
  url: string,
  wished: boolean,
  {
    ms,
    signal,
    behindForwarder,
  }: { readonly ms: number; readonly signal: AbortSignal; readonly behindForwarder?: boolean },
): Promise<boolean> {
  const giveUpAt = monotonicMs() + ms;
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 1.5, LONGEST_WAIT_MS)) {
    if ((await listensAt(url, { behindForwarder })) === wished) return true;
    if (signal.aborted || monotonicMs() >= giveUpAt) return false;
    await sleep(wait, undefined, { signal }).catch(() => {});
  }
}
