/**
 * Sessions of clients, and how far each has come with each server: an agent that never listed tools is not shown as having
 * them. A step is noted the first time it is seen; noting it again costs a look into a set.
 */
import type { SessionChanges } from '../store/session-rows.ts';
import type { AttachmentRow, SessionRow } from '../store/tables.ts';
import type { SessionNews } from './session-news.ts';

/** What a client is seen to do with a server, in this order. */
export const ATTACHMENT_STEPS = ['delivered', 'initialised', 'listed', 'called'] as const;
export type AttachmentStep = (typeof ATTACHMENT_STEPS)[number];

export interface SessionAbout {
  readonly id: string;
  /** The agent whose door it is at; undefined at a server's own. */
  readonly agent?: string | undefined;
  /** The server whose own door it is at. */
  readonly server?: string | undefined;
  /** The folder of the project that its client works in. */
  readonly project?: string | undefined;
  /** What the client calls itself, such as `claude-code 2.1`. */
  readonly client?: string | undefined;
  readonly protocol?: string | undefined;
  /** What another hub needs to take it up. */
  readonly principal?: string | undefined;
  readonly door?: string | undefined;
  readonly capabilities?: object | undefined;
}

interface Known {
  row: SessionRow;
  readonly attachments: Map<string, AttachmentRow>;
  initialised: boolean;
}

/** How exactly it is known when a session was last used: finer would cost a write for each request. */
const SEEN_EVERY_MS = 10_000;

export class SessionBook {
  readonly #open = new Map<string, Known>();
  #evicted = new Set<string>();
  #changedSessions = new Set<SessionRow>();
  #changedAttachments = new Set<AttachmentRow>();
  readonly #hub: string;
  readonly #onNews: () => void;
  readonly #news: SessionNews;

  constructor(hub: string, onNews: () => void, news: SessionNews) {
    this.#hub = hub;
    this.#onNews = onNews;
    this.#news = news;
  }

  get size(): number {
    return this.#open.size;
  }

  /** The sessions that are open now. */
  rows(): readonly SessionRow[] {
    return [...this.#open.values()].map(({ row }) => row);
  }

  has(session: string): boolean {
    return this.#open.has(session);
  }

  /** Whether the client was seen to use its door. */
  isInitialised(session: string): boolean {
    return this.#open.get(session)?.initialised ?? false;
  }

  /** The agent of an open session; empty where it has none. */
  agentOf(session: string | undefined): string {
    return (session === undefined ? undefined : this.#open.get(session))?.row.agent ?? '';
  }

  opened({
    id,
    agent = '',
    server = '',
    project = '',
    client = '',
    protocol = '',
    principal,
    door,
    capabilities,
  }: SessionAbout): void {
    const now = Date.now();
    const row = {
      ...{ id, hub: this.#hub, agent, server, client, protocol, opened: now, seen: now, closed: null, lost: null },
      ...{ project, principal: principal ?? null, door: door ?? null },
      capabilities: capabilities === undefined ? null : JSON.stringify(capabilities),
    };
    this.#open.set(id, { row, attachments: new Map(), initialised: false });
    this.#changed(row);
    this.#news.note('session-opened', row);
  }

  /** The servers that the client was told of in the answer to its greeting. */
  delivered(session: string): readonly string[] {
    const attachments = this.#open.get(session)?.attachments ?? new Map<string, AttachmentRow>();
    return [...attachments.values()].flatMap(row => (row.delivered === null ? [] : [row.server]));
  }

  /** A client was seen to do this with these servers. What is listed or called was delivered to a client that is initialised. */
  reached(id: string, step: AttachmentStep, servers: Iterable<string>): void {
    const known = this.#open.get(id);
    if (!known) return;
    if (step === 'initialised') known.initialised = true;
    const now = Date.now();
    if (now - known.row.seen > SEEN_EVERY_MS) this.#changed(known.row, { seen: now });
    for (const server of servers) {
      let row = known.attachments.get(server);
      if (row?.[step]) continue;
      row ??= { session: id, server, delivered: null, initialised: null, listed: null, called: null };
      if (step === 'listed' || step === 'called') {
        row.delivered ??= now;
        row.initialised ??= now;
      }
      row[step] = now;
      known.attachments.set(server, row);
      this.#changedAttachments.add(row);
      this.#onNews();
    }
  }

  /** A session of a hub that is gone goes on here. */
  takenUp(row: SessionRow, attachments: readonly AttachmentRow[]): void {
    const own = { ...row, hub: this.#hub, seen: Date.now(), closed: null, lost: null };
    const byServer = new Map(attachments.map(one => [one.server, one]));
    this.#open.set(row.id, { row: own, attachments: byServer, initialised: true });
    this.#changed(own);
  }

  /** `hubEnds`: it may go on at another hub. `evicted`: its owner opened too many; nothing is kept of it. */
  closed(id: string, { hubEnds = false, evicted = false } = {}): void {
    const known = this.#open.get(id);
    if (!known) return;
    this.#open.delete(id);
    if (evicted) return this.#forget(known);
    const now = Date.now();
    this.#changed(known.row, { seen: now, closed: now, lost: hubEnds ? now : null });
    this.#news.note('session-closed', known.row);
  }

  /** Writes all that are open anew: somebody took them for closed. */
  reassert(): void {
    for (const { row } of this.#open.values()) this.#changed(row);
  }

  /** Takes what changed since, to be written. */
  take(): SessionChanges {
    const taken = {
      sessions: [...this.#changedSessions],
      attachments: [...this.#changedAttachments],
      evicted: [...this.#evicted],
    };
    this.#evicted = new Set();
    this.#changedSessions = new Set();
    this.#changedAttachments = new Set();
    return taken;
  }

  giveBack({ sessions, attachments, evicted }: SessionChanges): void {
    for (const id of evicted) this.#evicted.add(id);
    for (const row of sessions) this.#changedSessions.add(row);
    for (const row of attachments) this.#changedAttachments.add(row);
  }

  #forget({ row, attachments }: Known): void {
    this.#changedSessions.delete(row);
    for (const one of attachments.values()) this.#changedAttachments.delete(one);
    this.#evicted.add(row.id);
    this.#onNews();
  }

  #changed(row: SessionRow, more: Partial<SessionRow> = {}): void {
    Object.assign(row, more);
    this.#changedSessions.add(row);
    this.#onNews();
  }
}
