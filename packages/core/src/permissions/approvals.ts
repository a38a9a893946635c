/**
 * Open questions whether a call may run. Any surface may answer one: the first answer settles it for all. A question that
 * nobody answers in time is a no, and one whose call was given up is withdrawn.
 */

import { isJunctorError, JunctorError, sentenceOf } from '../base/error.ts';
import type { Clock } from '../base/time/clock.ts';
import { type Answer, readAnswer, type ScopedAnswer } from './answer.ts';
import type { Caller } from './caller.ts';

/** A call that somebody is asked about. */
export interface Question {
  /** The id of the server. */
  readonly server: string;
  /** The server's own name for the tool; `sampling/createMessage` where a server wants your model. */
  readonly tool: string;
  /** What the tool would be called with. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Why it is asked. */
  readonly because: string;
  /** No rule asks for it: it is asked because nothing allows the call. */
  readonly byDefault?: true;
  /** What is no longer as it was when the tool was allowed, in lines: where, `-` before, `+` after. */
  readonly changed?: readonly string[];
  /** Names the question among the open ones. */
  readonly id?: string;
  /** Aborted once there is nothing left to answer: another surface did, time is up, or the call was given up. */
  readonly signal?: AbortSignal;
}

/** Asks a person. Absent where nobody can be asked: then the answer is no. */
export type Ask = (question: Question) => Promise<Answer>;

/** An open question as any surface may show it. */
export interface PendingApproval extends Omit<Question, 'signal' | 'id' | 'args'> {
  /** What `approvals.answer` takes. */
  readonly id: string;
  /** Secrets masked. */
  readonly args: unknown;
  /** Whose session it is. */
  readonly session?: string;
  /** Whose call it is, where one host serves several agents. */
  readonly agent?: string;
  /** The folder of the project that the call is made in. */
  readonly project?: string;
  /** The person who makes the call, where one does and has a name. */
  readonly person?: string;
  /** What the client calls itself. */
  readonly client?: string;
  /** When it was asked. */
  readonly since: Date;
  /** When it becomes a no; undefined: never. */
  readonly expires?: Date;
}

/** How a question ended: what was said, that time was up, or that the call was given up. */
export type ApprovalOutcome = ScopedAnswer['scope'] | 'expired' | 'withdrawn';

/** What became of a question, and who said so. */
export interface ApprovalEnd extends Pick<ScopedAnswer, 'by' | 'note'> {
  readonly outcome: ApprovalOutcome;
}

export interface ApprovalDesk {
  readonly clock: Clock;
  /** How long a question stays open; Infinity: until it is answered. */
  readonly waitMs: number;
  /** How many questions about calls with one token may be open. */
  readonly maxOpenPerOwner: number;
  /** Whether somebody may answer here, also where no `ask` is given. */
  readonly attended: boolean;
  newId(): string;
  mask(args: unknown): unknown;
  onRequested(approval: PendingApproval): void;
  onAnswered(approval: PendingApproval, end: ApprovalEnd): void;
}

export interface AskWays {
  readonly ask?: Ask | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whose call it is. */
  readonly caller?: Caller | undefined;
}

/** `expired`: nobody answered in `waitMs`. */
export type Ruling = ScopedAnswer | { readonly scope: 'expired'; readonly waitMs: number };

interface Open {
  readonly shown: PendingApproval;
  readonly args: unknown;
  /** Whose token the call came with. */
  readonly owner: string | undefined;
  settle(ruling: Ruling): void;
  fail(error: unknown): void;
}

/** The open questions of a host. */
export class Approvals {
  readonly #desk: ApprovalDesk;
  readonly #open = new Map<string, Open>();

  constructor(desk: ApprovalDesk) {
    this.#desk = desk;
  }

  /** The open questions, oldest first. */
  list(): readonly PendingApproval[] {
    return [...this.#open.values()].map(({ shown }) => shown);
  }

  /** What an open question is about, secrets included; undefined where it is not open. Not for people. */
  argumentsOf(id: string): unknown {
    return this.#open.get(id)?.args;
  }

  /** False where the question is no longer open: it was answered, ran out of time, or was withdrawn. */
  answer(id: string, answer: Answer): boolean {
    const open = this.#open.get(id);
    if (!open) return false;
    open.settle(readAnswer(answer, open.args));
    return true;
  }

  /** Gives a question up that cannot be put to anybody after all: its call fails with this error. */
  giveUp(id: string, error: JunctorError): void {
    this.#open.get(id)?.fail(error);
  }

  /** Whether a question would reach anybody. */
  reaches({ ask }: Pick<AskWays, 'ask'>): boolean {
    return ask !== undefined || this.#desk.attended;
  }

  /** Opens a question, and waits until it is settled. */
  request(question: Question, ways: AskWays): Promise<Ruling> {
    const { ask, signal } = ways;
    return new Promise<Ruling>((resolve, reject) => {
      if (signal?.aborted) return reject(givenUp(signal));
      if (this.#isFull(ways)) return reject(tooMany(question, this.#desk.maxOpenPerOwner));
      const done = new AbortController();
      const shown = this.#shown(question, ways);
      const end = (over: ApprovalEnd, conclude: () => void): void => {
        if (!this.#open.delete(shown.id)) return;
        stopClock?.();
        signal?.removeEventListener('abort', onAbort);
        done.abort();
        this.#desk.onAnswered(shown, over);
        conclude();
      };
      const settle = (ruling: Ruling): void => end(endOf(ruling), () => resolve(ruling));
      const fail = (error: unknown): void => end({ outcome: 'withdrawn' }, () => reject(error));
      const onAbort = (): void => fail(givenUp(signal));
      const { waitMs, clock } = this.#desk;
      const stopClock = Number.isFinite(waitMs)
        ? clock.after(waitMs, () => settle({ scope: 'expired', waitMs }))
        : undefined;
      signal?.addEventListener('abort', onAbort);
      this.#open.set(shown.id, { shown, args: question.args, owner: ways.caller?.token?.owner, settle, fail });
      this.#desk.onRequested(shown);
      // Whoever heard of it may have answered at once.
      if (ask && !done.signal.aborted) void this.#askOne(ask, { ...question, id: shown.id, signal: done.signal });
    });
  }

  /** Withdraws every question: their calls end. */
  close(): void {
    const error = new JunctorError('cancelled', 'The host was closed while a call waited for an answer.');
    for (const { fail } of [...this.#open.values()]) fail(error);
  }

  /** A person who is asked too much at once reads nothing any more. */
  #isFull({ caller }: AskWays): boolean {
    const owner = caller?.token?.owner;
    if (owner === undefined || this.#open.size < this.#desk.maxOpenPerOwner) return false;
    const own = this.#open.values().filter(one => one.owner === owner);
    return [...own].length >= this.#desk.maxOpenPerOwner;
  }

  /** A surface that fails says nothing: where others may answer, they are waited for. */
  async #askOne(ask: Ask, question: Question): Promise<void> {
    const open = this.#open.get(question.id as string);
    try {
      const answer = await ask(question);
      open?.settle(readAnswer(answer, question.args));
    } catch (error) {
      if (!this.#desk.attended) open?.fail(isJunctorError(error) ? error : askFailed(question, error));
    }
  }

  #shown({ server, tool, args, because, changed }: Question, { caller }: AskWays): PendingApproval {
    const { session, agent, project, person, client } = caller ?? {};
    const { clock, waitMs, mask, newId } = this.#desk;
    const now = clock.now();
    return {
      id: newId(),
      server,
      tool,
      args: mask(args),
      because,
      ...(changed === undefined ? {} : { changed }),
      ...(session === undefined ? {} : { session }),
      ...(agent === undefined ? {} : { agent }),
      ...(project === undefined ? {} : { project }),
      ...(person?.name === undefined ? {} : { person: person.name }),
      ...(client === undefined ? {} : { client: client.name }),
      since: new Date(now),
      ...(Number.isFinite(waitMs) ? { expires: new Date(now + waitMs) } : {}),
    };
  }
}

function tooMany({ server, tool }: Question, most: number): JunctorError {
  return new JunctorError('approval_required', `${server}/${tool} needs approval, and too many calls wait already.`, {
    server,
    why: `${most} calls with the same token wait for approval`,
    hint: 'call again once some of them are answered',
  });
}

/** The program asks people in a way of its own, and that way failed. */
function askFailed({ server, tool }: Question, error: unknown): JunctorError {
  return new JunctorError('approval_required', `${server}/${tool} needs approval, and asking for it failed.`, {
    server,
    why: sentenceOf(error),
    hint: "see the 'ask' that was passed in: it threw",
    cause: error,
    unsent: true,
  });
}

function endOf(ruling: Ruling): ApprovalEnd {
  if (ruling.scope === 'expired') return { outcome: 'expired' };
  const { scope: outcome, by, note } = ruling;
  return { outcome, ...(by === undefined ? {} : { by }), ...(note === undefined ? {} : { note }) };
}

function givenUp(signal: AbortSignal | undefined): unknown {
  const reason: unknown = signal?.reason;
  return reason instanceof JunctorError
    ? reason
    : new JunctorError('cancelled', 'The call was given up before it was answered whether it may run.', {
        cause: reason,
      });
}
