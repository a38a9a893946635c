/** Who may talk to a hub that listens at this address, and how they prove who they are. */

import { isLoopback, LOOPBACK_NAMES } from '@junctor/core/internal';
import { type HubCommands, PLAIN_COMMANDS } from '../commands.ts';
import type { TokenBook } from '../store/token-book.ts';
import { type HubsKnown, Identities } from './identities.ts';
import type { PageSessions } from './page-sessions.ts';
import { Prefix } from './prefix.ts';
import type { RateLimitOptions } from './rate-limit.ts';
import { ResourceServer } from './resource-server.ts';
import type { TokenEnds } from './token-ends.ts';

export interface SecurityOptions {
  /** Where the hub listens. */
  readonly url: string;
  readonly publicUrl?: string | undefined;
  /** More names under which it is reached, as that of a service in a cluster. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Where other hubs on the same database reach this one. */
  readonly peerUrl?: string | undefined;
  readonly issuer?: string | undefined;
  readonly rate?: RateLimitOptions | undefined;
  readonly tokens: TokenBook;
  readonly pages: PageSessions;
  readonly ends: TokenEnds;
  readonly hubs: HubsKnown | undefined;
  readonly commands?: HubCommands | undefined;
}

export interface Security {
  readonly identities: Identities;
  readonly resourceServer: ResourceServer | undefined;
  /** Names besides loopback under which this hub is reached. */
  readonly hosts: ReadonlySet<string>;
  readonly prefix: Prefix;
  /** As they are told to whoever has shown no token. */
  readonly commands: HubCommands;
}

export function openSecurity(options: SecurityOptions): Security {
  const { url, publicUrl, allowedHosts = [], peerUrl, issuer, rate, tokens, pages, ends, hubs } = options;
  const bases = basesOf(url, publicUrl);
  pages.address = bases[0] as string;
  // Strangers elsewhere need not know where the data of this hub lies.
  const isLocal = publicUrl === undefined && isLoopback(new URL(url));
  const commands = (isLocal && options.commands) || PLAIN_COMMANDS;
  const resourceServer = issuer === undefined ? undefined : new ResourceServer({ issuer, bases });
  return {
    identities: new Identities({ tokens, pages, ends, hubs, resourceServer, rate, commands }),
    commands,
    resourceServer,
    prefix: new Prefix(publicUrl),
    hosts: new Set([
      ...[...bases, ...(peerUrl === undefined ? [] : [peerUrl])].map(base => new URL(base).hostname),
      ...allowedHosts.map(name => name.toLowerCase()),
    ]),
  };
}

/** Every address of this hub. On this machine it has three names, and its own port with each. */
function basesOf(url: string, publicUrl: string | undefined): string[] {
  const own = new URL(url);
  const local = isLoopback(own) ? [...LOOPBACK_NAMES].map(name => `http://${name}:${own.port}`) : [];
  const all = [...(publicUrl === undefined ? [] : [publicUrl]), url, ...local];
  return [...new Set(all.map(base => base.replace(/\/$/, '')))];
}
