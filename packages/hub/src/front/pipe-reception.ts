/** Whoever comes by the local pipe: clients, through the same doors and with the same tokens; and commands of this machine. */
import type { Socket } from 'node:net';
import { type ErrorCode, VERSION } from '@junctor/core';
import type { AgentBook } from '../agents/agent-book.ts';
import type { Doors } from '../endpoint/doors.ts';
import type { Identities } from '../security/identities.ts';
import { isRefused, type Known } from '../security/identity.ts';
import type { DoorBook } from './door-book.ts';
import { fingerprintsOf } from './fingerprint.ts';
import type { Admission, Reception } from './local-pipe.ts';
import { machineView } from './machine-view.ts';
import type { ErrandRunner, PipeAnswer, PipeErrand, PipeGreeting, PipeQuestion } from './pipe-words.ts';

export interface PipeReceptionOptions {
  /** The token of this hub's own commands. */
  readonly own: string;
  /** Where its programs start. */
  readonly cwd: string;
  readonly book: AgentBook;
  readonly identities: Identities;
  readonly doors: Doors;
  readonly doorBook: DoorBook;
  /** Runs commands of this machine; without it they run by themselves. */
  readonly errands: ErrandRunner | undefined;
}

export class PipeReception implements Reception {
  readonly #options: PipeReceptionOptions;

  constructor(options: PipeReceptionOptions) {
    this.#options = options;
  }

  /** What our own commands want to know before they go this way. */
  tell({ token }: PipeQuestion): PipeAnswer {
    const { own, book, cwd } = this.#options;
    if (token !== own) return refused('token_refused', 'Only the token of hub.json opens this.').answer;
    return { fingerprints: fingerprintsOf(book.common, cwd, own) };
  }

  /** Never throws: what goes wrong with an errand is part of what came of it. */
  async run({ token, view, words, surroundings }: PipeErrand, signal: AbortSignal): Promise<PipeAnswer> {
    const { own, errands } = this.#options;
    if (token !== own) return refused('token_refused', 'Only the token of hub.json opens this.').answer;
    const done = view === machineView() ? await errands?.({ words, surroundings }, signal) : undefined;
    return done ? { done } : { elsewhere: true };
  }

  /** A client on the local pipe: the same doors, the same tokens. Nobody but a program of this machine gets here. */
  admit({ door: path, token }: PipeGreeting, socket: Socket): ReturnType<Reception['admit']> {
    const identity = this.#options.identities.ofToken(token);
    if (isRefused(identity)) return refused(identity.code, identity.sentence, identity.hint);
    const enter = (): Admission => this.#enter(path, identity, socket);
    return this.#options.doorBook.settle(identity.bearer)?.then(enter) ?? enter();
  }

  #enter(path: string, { bearer, principal }: Known, socket: Socket): Admission {
    const door = this.#options.doorBook.find(path, bearer);
    if ('status' in door) return refused(door.status === 403 ? 'token_refused' : 'not_found', `${door.because}.`);
    const visit = { path, room: this.#options.doorBook.roomAt(door, bearer), principal, socket };
    const connection = this.#options.doors.openPipe(visit);
    const guest = { receive: (text: string) => void connection.receive(text), end: () => connection.end() };
    return { answer: { open: true, version: VERSION }, guest };
  }
}

function refused(code: ErrorCode, message: string, hint?: string): Admission {
  return { answer: { error: { code, message, ...(hint === undefined ? {} : { hint }) } } };
}
