/** Whoever comes by the local pipe: clients, through the same doors and with the same tokens; and commands of this machine. */
import type { Socket } from 'node:net';
import { type ErrorCode, isJunctorError, JunctorError, VERSION } from '@junctor/core';
import { agentId } from '@junctor/core/light';
import type { AgentBook } from '../agents/agent-book.ts';
import { inProject, type Projects } from '../agents/projects.ts';
import type { Doors } from '../endpoint/doors.ts';
import type { Identities } from '../security/identities.ts';
import { isRefused, type Known } from '../security/identity.ts';
import type { TokenBook } from '../store/token-book.ts';
import { newToken } from '../store/token-terms.ts';
import { type DoorBook, endpointPath } from './door-book.ts';
import { fingerprintsOf } from './fingerprint.ts';
import type { Admission, Reception } from './local-pipe.ts';
import { machineView } from './machine-view.ts';
import type {
  ErrandRunner,
  FingerprintsQuestion,
  PipeAnswer,
  PipeErrand,
  PipeGreeting,
  PipeProject,
  PipeQuestion,
  ProjectAnswer,
  WorkPlace,
} from './pipe-words.ts';

export interface PipeReceptionOptions {
  /** The token of this hub's own commands. */
  readonly own: string;
  /** Where its programs start. */
  readonly cwd: string;
  readonly book: AgentBook;
  readonly identities: Identities;
  readonly tokens: TokenBook;
  readonly doors: Doors;
  readonly doorBook: DoorBook;
  /** Undefined where the hub serves one config, whatever its clients work on. */
  readonly projects: Projects | undefined;
  /** The folder of the project that endpoints serve which name none. */
  readonly ownProject: string | undefined;
  /** Runs commands of this machine; without it they run by themselves. */
  readonly errands: ErrandRunner | undefined;
}

export class PipeReception implements Reception {
  readonly #options: PipeReceptionOptions;
  readonly #agentTokens = new Map<string, string>();

  constructor(options: PipeReceptionOptions) {
    this.#options = options;
  }

  /** What our own commands want to know before they go this way. */
  async tell(question: PipeQuestion | PipeProject): Promise<PipeAnswer> {
    const { own, identities } = this.#options;
    try {
      if (question.ask === 'project') {
        const identity = identities.ofToken(question.token);
        if (isRefused(identity)) return refused(identity.code, identity.sentence, identity.hint).answer;
        return { project: await this.#projectAt(question.at) };
      }
      if (question.token !== own) return refused('token_refused', 'Only the token of hub.json opens this.').answer;
      if (question.ask === 'agent-token') return this.#agentToken(agentId(question.agent));
      return await this.#fingerprints(question);
    } catch (error) {
      return failed(error).answer;
    }
  }

  /** Never throws: what goes wrong with an errand is part of what came of it. */
  async run({ token, view, words, surroundings }: PipeErrand, signal: AbortSignal): Promise<PipeAnswer> {
    const { own, errands } = this.#options;
    if (token !== own) return refused('token_refused', 'Only the token of hub.json opens this.').answer;
    const done = view === machineView() ? await errands?.({ words, surroundings }, signal) : undefined;
    return done ? { done } : { elsewhere: true };
  }

  /** A client on the local pipe: the same endpoints, the same tokens. Nobody but a program of this machine gets here. */
  async admit({ door, token, holds = false, at }: PipeGreeting, socket: Socket): Promise<Admission> {
    const { identities, doorBook } = this.#options;
    const identity = identities.ofToken(token);
    if (isRefused(identity)) return refused(identity.code, identity.sentence, identity.hint);
    try {
      const project = at === undefined ? this.#ownProject() : await this.#projectAt(at);
      const path = inProject(endpointPath(door), project.id ?? undefined);
      await doorBook.settle(path, identity.bearer);
      return this.#enter({ path, holds, project }, identity, socket);
    } catch (error) {
      return failed(error);
    }
  }

  /** Kept nowhere, and one for each agent there is: sessions of one agent have one owner. */
  #agentToken(agent: string): PipeAnswer {
    const { book, tokens } = this.#options;
    if (!book.knows(agent))
      return refused('not_found', `Unknown agent '${agent}'. Known: ${book.ids().join(', ')}.`).answer;
    const token = this.#agentTokens.get(agent) ?? newToken();
    if (!this.#agentTokens.has(agent)) tokens.accept(token, { kind: 'agent', agent });
    this.#agentTokens.set(agent, token);
    return { agent_token: token };
  }

  #enter(
    { path, holds, project }: { path: string; holds: boolean; project: ProjectAnswer },
    owner: Known,
    socket: Socket,
  ): Admission {
    const { bearer } = owner;
    const door = this.#options.doorBook.find(path, bearer);
    if ('status' in door) return refused(door.status === 403 ? 'token_refused' : 'not_found', `${door.because}.`);
    const visit = { path, room: this.#options.doorBook.roomAt(door, bearer), owner, socket, holds };
    const connection = this.#options.doors.openPipe(visit);
    const guest = { receive: (text: string | undefined) => void connection.receive(text), end: () => connection.end() };
    return { answer: { open: true, version: VERSION, project }, guest };
  }

  async #projectAt({ folder, view }: WorkPlace): Promise<ProjectAnswer> {
    const { projects } = this.#options;
    if (!projects) return { ...this.#ownProject(), because: 'fixed' };
    if (view !== machineView()) return { ...this.#ownProject(), because: 'unseen' };
    const project = await projects.at(folder);
    return project ? { id: project.id, folder: project.folder } : this.#ownProject();
  }

  #ownProject(): ProjectAnswer {
    return { id: null, folder: this.#options.ownProject ?? null };
  }

  /** Of the project that the command was typed in, where it is open: none is opened for a question. */
  async #fingerprints({ at }: FingerprintsQuestion): Promise<PipeAnswer> {
    const { own, book, cwd, projects } = this.#options;
    const { id = null } = at ? await this.#projectAt(at) : {};
    const project = id === null ? undefined : projects?.get(id);
    if (!project) return { fingerprints: fingerprintsOf(book.common, cwd, own) };
    const host = book.hostAt(undefined, { project });
    return { fingerprints: host ? fingerprintsOf(host, cwd, own) : {}, project: project.id };
  }
}

function failed(error: unknown): Admission {
  const { code, message, hint } = isJunctorError(error)
    ? error
    : new JunctorError('internal', 'The request failed inside Junctor.');
  return refused(code, message, hint);
}

function refused(code: ErrorCode, message: string, hint?: string): Admission {
  return { answer: { error: { code, message, ...(hint === undefined ? {} : { hint }) } } };
}
