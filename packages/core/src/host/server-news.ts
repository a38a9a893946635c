/** What follows when a server comes, goes or says something unasked: who of a host's rooms hears of it. */

import type { Bus } from '../base/bus.ts';
import type { JunctorError } from '../base/error.ts';
import type { Log } from '../base/log/log.ts';
import { readAnnouncement } from '../catalogue/lists/announcement.ts';
import type { LinkState } from '../connections/link.ts';
import type { Links } from '../connections/links.ts';
import type { Answering } from './answering.ts';
import type { HostEvent } from './events.ts';
import type { HostResults } from './host-results.ts';
import { logState } from './lists/log-state.ts';
import type { Offer } from './lists/offer.ts';

export interface NewsRooms {
  readonly log: Log;
  readonly events: Bus<HostEvent>;
  readonly links: Links;
  readonly offer: Offer;
  readonly answering: Answering;
  /** Undefined before the first call. */
  readonly results: HostResults | undefined;
  readonly nextStep: (error: JunctorError) => string | undefined;
}

export function onState(rooms: NewsRooms, server: string, state: LinkState): void {
  const { log, events, links, offer, answering, results } = rooms;
  logState(log, server, state);
  results?.changed(server);
  events.emit({ type: 'state-changed', server, state });
  const link = state.kind === 'ready' ? links.live(server) : undefined;
  if (link) answering.greeted(link);
  if (link) offer.onReady(link);
  if (state.kind === 'auth_required') announceSignIn(rooms, server, state.lastError);
}

export function announceSignIn(
  { events, nextStep }: Pick<NewsRooms, 'events' | 'nextStep'>,
  server: string,
  error: JunctorError,
): void {
  const hint = nextStep(error);
  events.emit({ type: 'auth-required', server, ...(hint ? { hint } : {}) });
}

export function onNotification(rooms: NewsRooms, server: string, method: string, params: unknown): void {
  const news = readAnnouncement(method, params);
  if (!news) return rooms.answering.heard(server, method, params);
  rooms.results?.changed(server);
  if ('changed' in news) rooms.offer.announce(server, news.changed);
  else rooms.events.emit({ type: 'resource-updated', server, uri: news.updated });
}
