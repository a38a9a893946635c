/**
 * Where a server may send us while we find out how to sign in: to public addresses, and to those of its own kind. A server
 * must not make us ask services of this machine or of our network, nor the metadata service of a cloud.
 */
import { lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { type AddressClass, addressClass } from '../../base/network/address-class.ts';
import { isLoopback } from '../../base/network/loopback.ts';
import type { OAuthDef } from '../../config/schema/server-schema.ts';
import { proxyFor } from '../transports/proxy.ts';
import { ANSWER_MS, boundedFetch } from './oauth/sdk.ts';
import { sendRequest } from './oauth/send-request.ts';

export interface Reach {
  readonly server: URL;
  /** Of addresses that the config itself names: a person chose them. */
  readonly origins: ReadonlySet<string>;
  /** `oauth.allow_private`. */
  readonly allowsPrivate: boolean;
}

const NAMED = ['authorization_url', 'token_url', 'registration_url', 'issuer'] as const;

export function reachOf({ url, oauth }: { readonly url: string; readonly oauth: OAuthDef }): Reach {
  const named = NAMED.flatMap(key => oauth[key] ?? []).filter(one => URL.canParse(one));
  return {
    server: new URL(url),
    origins: new Set([url, ...named].map(one => new URL(one).origin)),
    allowsPrivate: oauth.allow_private ?? false,
  };
}

/** Why an address is refused before anybody is asked; undefined where its network decides. */
export function whyRefused({ server, origins, allowsPrivate }: Reach, address: URL): string | undefined {
  if (origins.has(address.origin)) return undefined;
  if (address.protocol === 'https:') return undefined;
  if (address.protocol !== 'http:') return `${address.href} is no address of a web server`;
  const isOwnMachine = isLoopback(address) && (isLoopback(server) || allowsPrivate);
  const isOwnHost = server.protocol === 'http:' && address.hostname === server.hostname;
  return isOwnMachine || isOwnHost ? undefined : `${address.href} is not reached over https`;
}

/** `fetch`, within that reach. It connects to the very address that was looked at: a name cannot change in between. */
export function fetchWithin(reach: Reach, signal?: AbortSignal, answerMs = ANSWER_MS): typeof fetch {
  const bounded = boundedFetch(signal, answerMs);
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (reach.origins.has(url.origin)) return bounded(input, init);
    const why = whyRefused(reach, url);
    if (why !== undefined) throw new Error(why);
    const hostname = url.hostname.replace(/^\[|\]$/g, '');
    const allowed = await allowedClasses(reach);
    if (isIP(hostname)) expectAllowed(hostname, hostname, allowed);
    // The proxy looks the name up, and has rules of its own about where it leads.
    if (proxyFor(url, process.env)) return bounded(input, init);
    const ends = [AbortSignal.timeout(answerMs), signal, init?.signal].filter(end => end != null);
    const request = new Request(url, { ...init, redirect: 'manual' });
    // A connection of its own: one that is kept may have been opened by somebody who looked at nothing.
    return sendRequest(request, AbortSignal.any(ends), { lookup: checkedLookup(allowed), agent: false });
  };
}

/** A name that resolves to this machine does not open it: whoever owns the name decides where it leads. */
async function allowedClasses({ server, allowsPrivate }: Reach): Promise<ReadonlySet<AddressClass>> {
  const allowed = new Set<AddressClass>(['public']);
  if (allowsPrivate) for (const kind of ['private', 'loopback'] as const) allowed.add(kind);
  const hostname = server.hostname.replace(/^\[|\]$/g, '');
  if (isLoopback(server)) allowed.add('loopback');
  else if (isIP(hostname)) allowed.add(addressClass(hostname));
  else if ((await addressesOf(hostname)).some(address => addressClass(address) === 'private')) allowed.add('private');
  allowed.delete('reserved');
  return allowed;
}

function addressesOf(hostname: string): Promise<string[]> {
  return new Promise(done => {
    resolve(hostname, { all: true }, (error, found) => done(error ? [] : found.map(({ address }) => address)));
  });
}

function expectAllowed(hostname: string, address: string, allowed: ReadonlySet<AddressClass>): void {
  const kind = addressClass(address);
  if (allowed.has(kind)) return;
  const where = hostname === address ? address : `${hostname} (${address})`;
  throw new Error(
    `${where} is a ${kind} address, and the server itself is not; oauth.allow_private lets it lead to private ones`,
  );
}

function checkedLookup(allowed: ReadonlySet<AddressClass>): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '');
      try {
        for (const { address } of found) expectAllowed(hostname, address, allowed);
      } catch (refused) {
        return done(refused as Error, '');
      }
      const [first] = found;
      if (options.all) done(null, found);
      else done(null, first?.address ?? '', first?.family);
    });
  };
}
