import { hostname } from 'node:os';

const EVERYWHERE = new Set(['0.0.0.0', '[::]']);

/** Where other machines reach a hub that listens at this address: one that listens everywhere, by the name of its machine. */
export function peerAddress(url: string): string {
  const address = new URL(url);
  if (EVERYWHERE.has(address.hostname)) address.hostname = hostname();
  return address.href.replace(/\/$/, '');
}
