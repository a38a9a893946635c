/**
 * The open questions of every agent, whether a call may run, in one place; and in the database what became of them. A
 * question that cannot be written down has nobody who would see it everywhere: its call is refused. Hubs on one database
 * have one inbox: an answer given at another hub is left in the database for the hub where the call waits.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Host, JunctorError, type PendingApproval, type ScopedAnswer } from '@junctor/core';
import { keptArguments, readableArguments } from '../calls/kept-arguments.ts';
import { inWords } from '../replicas/in-words.ts';
import type { ApprovalRows } from '../store/approval-rows.ts';
import { hubName } from '../store/hub-name.ts';
import type { ApprovalRow } from '../store/tables.ts';

export interface InboxOptions {
  readonly rows: ApprovalRows;
  readonly dataDirectory: string;
  readonly onProblem: (sentence: string) => void;
  /** Told of each call that begins to wait. */
  readonly onAsked?: ((call: WaitingCall) => void) | undefined;
}

/** A call that waits for approval, as the person at the hub is told of it. */
export type WaitingCall = Pick<PendingApproval, 'id' | 'server' | 'tool'> & { readonly agent: string | undefined };

export interface OpenApproval extends ApprovalRow {
  /** What changed since the tool was allowed. */
  readonly changed?: readonly string[];
  readonly person?: string;
  readonly client?: string;
}

type KeptColumns = Pick<ApprovalRow, 'arguments' | 'cut' | 'readable'>;

export type Settled =
  | { readonly kind: 'settled' }
  | { readonly kind: 'unknown' }
  /** It was settled before, or its call is gone. */
  | { readonly kind: 'over'; readonly outcome: string };

/** Another hub reads an answer as soon as it hears of it; one that takes longer is gone. */
const OTHER_HUB_MS = 5000;
const LOOK_EVERY_MS = 50;

export class Inbox {
  readonly #rows: ApprovalRows;
  readonly #hub: string;
  readonly #onProblem: (sentence: string) => void;
  readonly #onAsked: InboxOptions['onAsked'];
  /** Every host, with the agent that has it for itself. */
  readonly #hosts = new Map<Host, string | undefined>();
  /** Each list would mask and cut them anew. */
  readonly #kept = new WeakMap<PendingApproval, KeptColumns>();
  /** In the order in which things happen. */
  #writing: Promise<void> = Promise.resolve();

  constructor({ rows, dataDirectory, onProblem, onAsked }: InboxOptions) {
    this.#rows = rows;
    this.#hub = hubName(dataDirectory);
    this.#onProblem = onProblem;
    this.#onAsked = onAsked;
  }

  /** Questions of an earlier life of this hub have nobody left who waits for them. */
  begin(): Promise<void> {
    return this.#rows.withdrawAll(this.#hub);
  }

  /** Takes in what this host asks. */
  follow(host: Host, agent: string | undefined): void {
    this.#hosts.set(host, agent);
    host.events.on('approval-requested', ({ approval_id }) => {
      const asked = host.approvals.list().find(({ id }) => id === approval_id);
      if (!asked) return;
      this.#note(() => this.#asked(host, asked));
      const { id, server, tool } = asked;
      this.#onAsked?.({ id, server, tool, agent: agent ?? asked.agent });
    });
    host.events.on('approval-answered', ({ approval_id, ...end }) =>
      this.#note(() => this.#rows.answered(approval_id, end)),
    );
  }

  /** Lets go of a host that ends. */
  forget(host: Host): void {
    this.#hosts.delete(host);
  }

  /** Until all that happened is written. */
  settled(): Promise<void> {
    return this.#writing;
  }

  get size(): number {
    return [...this.#hosts.keys()].reduce((count, host) => count + host.approvals.list().length, 0);
  }

  /** The questions of all agents, oldest first. */
  async open(): Promise<OpenApproval[]> {
    const here = [...this.#hosts.keys()].flatMap(host => host.approvals.list().map(one => this.#row(host, one)));
    const elsewhere = await this.#rows.openElsewhere(this.#hub);
    return [...here, ...elsewhere].sort((one, other) => one.asked - other.asked);
  }

  async answer(id: string, answer: ScopedAnswer): Promise<Settled> {
    if (this.#answerHere(id, answer)) {
      await this.settled();
      return { kind: 'settled' };
    }
    const row = await this.#rows.find(id);
    if (!row) return { kind: 'unknown' };
    if (row.outcome !== null || row.hub === this.#hub) return { kind: 'over', outcome: row.outcome ?? 'withdrawn' };
    return this.#answerElsewhere(id, answer);
  }

  /** Another hub may have left an answer for us. */
  async collect(): Promise<void> {
    for (const { id, said } of await this.#rows.saidTo(this.#hub)) {
      try {
        this.#answerHere(id, JSON.parse(said as string) as ScopedAnswer);
      } catch {
        await this.#rows.unsay(id);
      }
    }
  }

  /** Other hubs took this one for gone: what they closed is over here too. */
  async review(): Promise<void> {
    for (const host of this.#hosts.keys()) {
      for (const asked of host.approvals.list()) {
        const row = await this.#rows.find(asked.id);
        if (row && row.outcome !== null) host.approvals.giveUp(asked.id, closedElsewhere(asked, row.outcome));
      }
    }
  }

  #answerHere(id: string, answer: ScopedAnswer): boolean {
    return [...this.#hosts.keys()].some(host => host.approvals.answer(id, answer));
  }

  async #answerElsewhere(id: string, answer: ScopedAnswer): Promise<Settled> {
    const isFirst = await this.#rows.say(id, JSON.stringify(answer));
    const until = Date.now() + OTHER_HUB_MS;
    while (Date.now() < until) {
      const row = await this.#rows.find(id);
      if (row?.outcome === answer.scope && isFirst) return { kind: 'settled' };
      if (!row || row.outcome !== null) return { kind: 'over', outcome: row?.outcome ?? 'withdrawn' };
      if (row.said === null) throw notForThatCall(answer);
      await sleep(LOOK_EVERY_MS);
    }
    if (isFirst) await this.#rows.unsay(id);
    throw new JunctorError('connection_lost', `The hub where the call of question '${id}' waits does not answer.`, {
      why: `it took no notice of the answer for ${OTHER_HUB_MS / 1000} s`,
      hint: 'see whether that hub still runs, or answer there',
    });
  }

  async #asked(host: Host, asked: PendingApproval): Promise<void> {
    const { changed: _, person: _person, client: _client, ...row } = this.#row(host, asked);
    try {
      await this.#rows.asked(row);
    } catch (error) {
      host.approvals.giveUp(asked.id, unreachable(asked, error));
      throw error;
    }
  }

  #row(host: Host, asked: PendingApproval): OpenApproval {
    const { id, server, tool, because, changed, person, client, project = '', session = '', since, expires } = asked;
    return {
      id,
      hub: this.#hub,
      agent: this.#hosts.get(host) ?? asked.agent ?? '',
      project,
      session,
      server,
      tool,
      ...this.#arguments(host, asked),
      because,
      asked: since.getTime(),
      expires: expires?.getTime() ?? null,
      outcome: null,
      answered: null,
      answered_by: null,
      note: null,
      said: null,
      ...(changed ? { changed } : {}),
      ...(person === undefined ? {} : { person }),
      ...(client === undefined ? {} : { client }),
    };
  }

  /** The same as the audit keeps. While the question is open, the person who is asked can read on. */
  #arguments(host: Host, asked: PendingApproval): KeptColumns {
    const known = this.#kept.get(asked) ?? this.#keep(host, asked);
    this.#kept.set(asked, known);
    return known;
  }

  #keep(host: Host, { id, args }: PendingApproval): KeptColumns {
    const { text, cut } = keptArguments(host.approvals.argumentsOf(id) ?? args, one => host.mask(one));
    if (!cut) return { arguments: text, cut: null, readable: null };
    const readable = JSON.stringify(readableArguments(args, cut));
    return { arguments: JSON.stringify(text), cut: JSON.stringify(cut), readable };
  }

  #note(write: () => Promise<void>): void {
    this.#writing = this.#writing.then(write).catch(error => {
      this.#onProblem(`an approval cannot be written to the database: ${inWords(error)}`);
    });
  }
}

/** Fails closed: what nobody can be shown to have been asked is not run. */
function unreachable({ server, tool }: PendingApproval, error: unknown): JunctorError {
  return new JunctorError('approval_required', `${server}/${tool} needs approval, and the inbox cannot be reached.`, {
    server,
    why: 'the database of the hub does not answer',
    hint: 'see /readyz of the hub',
    cause: error,
  });
}

function closedElsewhere({ server, tool }: PendingApproval, outcome: string): JunctorError {
  return new JunctorError('approval_required', `${server}/${tool} was not approved in time.`, {
    server,
    why: `another hub closed the question as '${outcome}', because this one did not answer for a while`,
    hint: 'call again',
  });
}

function notForThatCall({ when }: ScopedAnswer): JunctorError {
  return new JunctorError('usage', `The pattern of arguments '${when}' does not fit the call that was asked about.`, {
    hint: 'a pattern has to cover the arguments of that call, such as path=/tmp/**',
  });
}
