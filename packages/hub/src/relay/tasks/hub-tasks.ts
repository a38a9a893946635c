/**
 * The tasks of all clients, at every endpoint and in both eras: made here, and found only by their owner. The owner is the
 * token that made the task, at the endpoint where it was made; a session lists only what it made itself.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Link } from '@junctor/core/internal';
import { isObject } from '@junctor/core/internal';
import type { Caller, FollowedTask } from '../../visit/room.ts';
import { dressedFor, type Job, whatOf } from '../job.ts';
import { HubTask, type TaskKeeper } from './hub-task.ts';
import { TaskDelivery } from './task-delivery.ts';
import { detailedTask, legacyTask, ticketFor } from './task-shapes.ts';

/** How long a task is kept where its client does not say. Shorter, and a client that reconnects finds its result gone. */
const USUAL_TTL_MS = 60 * 60_000;
const LONGEST_TTL_MS = 24 * 60 * 60_000;
/** A task that ran for longer than it is kept has a result all the same: its owner may fetch it for this long. */
const FETCH_MS = 10 * 60_000;
/** So many tasks of one owner are kept. Fewer, and a busy agent is refused; more, and one client fills the hub. */
const MAX_PER_OWNER = 200;
/** So many bytes of results are kept in all; then the oldest go. */
const MAX_KEPT_BYTES = 256 * 1024 * 1024;
const SWEEP_MS = 30_000;

interface Kept {
  readonly task: HubTask;
  readonly owner: string;
  readonly holder: string;
  readonly principal: string;
  /** A task that still runs then is given up. */
  readonly dueAt: number;
}

/** Told what `tasks/get` would answer. */
export type TaskFollower = (state: object) => void;

/** What an id of this hub looks like. */
const GIVEN = /^(?:[^~]{1,200}~)?([0-9a-f]{8})-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export class HubTasks implements TaskKeeper {
  /** Oldest first. */
  readonly #kept = new Map<string, Kept>();
  /** In each id: a client that comes back after a restart is told why its task is gone. */
  readonly #incarnation = randomBytes(4).toString('hex');
  readonly #mark: string;
  readonly #followers = new Map<string, Set<TaskFollower>>();
  readonly #sweeper: NodeJS.Timeout;

  /** `hub`: its name in each id, where another hub may be asked about a task and has to find this one. */
  constructor(hub?: string) {
    this.#mark = `${hub === undefined ? '' : `${hub}~`}${this.#incarnation}-`;
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_MS).unref();
  }

  /** Runs a call whose client has a ticket for it meanwhile. False where its turn did not come. */
  async begin(job: Job, link: Link): Promise<boolean> {
    const { upstream, request, departure, flight, reply, caller } = job;
    const task = this.#made(job);
    const passage = await upstream.crowd.enter(task, whatOf(request));
    if (!passage) return false;
    let sent = false;
    try {
      if (!flight.cancelled) await departure?.sending();
      const current = link.conversation.ended ? await upstream.ready() : link;
      if (flight.cancelled) {
        departure?.stayed();
        reply.abandon();
        return true;
      }
      // A server of the newer era decides itself whether it makes a task, and when: a client that asked for one has it at once.
      const atOnce = caller.era === 'legacy' && current.greeting.era === 'modern';
      if (atOnce && !task.giveTicket()) return true;
      const delivery = new TaskDelivery(job, { party: task, passage, link: current }, dressedFor(current, job), task);
      const cancel = (reason: string): void => delivery.cancel(reason);
      task.runs(cancel);
      if (!atOnce) flight.sent(cancel);
      sent = true;
      delivery.send();
      return true;
    } finally {
      if (!sent) upstream.crowd.leave(passage);
    }
  }

  /** Goes on with a call that its server made a task of. */
  adopt(job: Job, link: Link, ticket: unknown): void {
    const task = this.#made(job);
    const delivery = new TaskDelivery(job, { party: task, link }, dressedFor(link, job), task);
    const cancel = (reason: string): void => delivery.cancel(reason);
    task.runs(cancel);
    delivery.follow(ticket);
  }

  find(id: unknown, caller: Caller): HubTask | undefined {
    const kept = typeof id === 'string' ? this.#kept.get(id) : undefined;
    return kept?.owner === ownerOf(caller) ? kept.task : undefined;
  }

  /** Whether an id is one that this hub gave before it was started last. */
  isOfEarlierRun(id: unknown): boolean {
    const [, incarnation] = (typeof id === 'string' && GIVEN.exec(id)) || [];
    return incarnation !== undefined && incarnation !== this.#incarnation;
  }

  /** Tells of each change of a task, until the function that comes back is called. Undefined: the caller has no such task. */
  follow(id: string, caller: Caller, follower: TaskFollower): FollowedTask | undefined {
    const task = this.find(id, caller);
    if (!task) return undefined;
    const followers = this.#followers.get(id) ?? new Set();
    this.#followers.set(id, followers.add(follower));
    const stop = (): void => {
      followers.delete(follower);
      if (followers.size === 0 && this.#followers.get(id) === followers) this.#followers.delete(id);
    };
    return { now: task.status === 'working' ? undefined : detailedTask(task), stop };
  }

  list(caller: Caller): readonly HubTask[] {
    const { holder } = caller.session;
    const owner = ownerOf(caller);
    return [...this.#kept.values()]
      .filter(kept => kept.owner === owner && kept.holder === holder)
      .map(({ task }) => task);
  }

  admit(task: HubTask): boolean {
    const owner = ownerOf(task);
    const own = [...this.#kept.values()].filter(kept => kept.owner === owner);
    if (own.length >= MAX_PER_OWNER) {
      const oldest = own.find(kept => kept.task.isOver);
      if (!oldest) return false;
      this.#kept.delete(oldest.task.id);
    }
    const { session, ttlMs } = task;
    const dueAt = Date.now() + Math.max(ttlMs, task.totalMs);
    this.#kept.set(task.id, { task, owner, holder: session.holder, principal: session.principal, dueAt });
    return true;
  }

  changed(task: HubTask): void {
    const { session } = task;
    if (session.era === 'legacy' && !session.ended) session.announce('notifications/tasks/status', legacyTask(task));
    const followers = this.#followers.get(task.id);
    if (followers) {
      const state = detailedTask(task);
      for (const tell of [...followers]) tell(state);
    }
    if (task.isOver) this.#forgetTooMuch();
  }

  /** These may not come back. */
  endOf(principals: ReadonlySet<string>, reason: string): void {
    for (const { task, principal } of [...this.#kept.values()]) if (principals.has(principal)) this.#end(task, reason);
  }

  close(): void {
    clearInterval(this.#sweeper);
    for (const { task } of [...this.#kept.values()]) this.#end(task, 'the hub is closing');
  }

  #made(job: Job): HubTask {
    const { request, upstream } = job;
    const { task, name } = request.params;
    const { toolTotalMs, perToolMs } = upstream.server.timeouts;
    return new HubTask({
      id: `${this.#mark}${randomUUID()}`,
      job,
      keeper: this,
      ttlMs: ttlOf(isObject(task) ? task.ttl : undefined),
      totalMs: perToolMs[String(name)] ?? toolTotalMs,
      ticket: made => JSON.stringify(ticketFor(job.caller.era, made)),
    });
  }

  #end(task: HubTask, reason: string): void {
    this.#kept.delete(task.id);
    task.cancel(reason);
  }

  #sweep(): void {
    const now = Date.now();
    for (const { task, dueAt } of [...this.#kept.values()]) {
      const { endedAt } = task;
      if (endedAt === undefined && now > dueAt) task.cancel('it ran for longer than a task may');
      const until = Math.max(task.createdAt.getTime() + task.ttlMs, (endedAt ?? now) + FETCH_MS);
      if (endedAt !== undefined && now > until) this.#kept.delete(task.id);
    }
  }

  #forgetTooMuch(): void {
    let bytes = 0;
    for (const { task } of [...this.#kept.values()].reverse()) {
      bytes += task.outcome?.bytes ?? 0;
      if (bytes > MAX_KEPT_BYTES && task.isOver) this.#kept.delete(task.id);
    }
  }
}

/** A token at one endpoint: a client that comes back with it after a lost connection finds its tasks again. */
function ownerOf({ session }: Pick<Caller, 'session'>): string {
  return `${session.principal}\0${session.door}`;
}

function ttlOf(asked: unknown): number {
  const wanted = typeof asked === 'number' && Number.isFinite(asked) && asked >= 0 ? asked : USUAL_TTL_MS;
  return Math.min(wanted, LONGEST_TTL_MS);
}
