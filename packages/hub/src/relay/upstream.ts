/**
 * One life of one server, and the sessions behind it. What the server asks, logs or announces of its own accord goes to the
 * session it belongs to: to its owner where it has one, else to the only party that can have caused it, else to nobody.
 */
import type { Host, ResolvedServer, ServerLogLevel } from '@junctor/core';
import {
  type Answers,
  type Asker,
  type Instance,
  type InstanceLists,
  type Link,
  MethodNotFound,
  type Onlooker,
  type Outfit,
  REFUSED,
  Refusal,
  readAnnouncement,
  SERVER_LOG_LEVELS,
} from '@junctor/core/internal';
import { canBeAsked, type Party, wantsLine } from '../visit/party.ts';
import type { Session } from '../visit/session.ts';
import { Crowd } from './crowd.ts';
import type { LearnedQuestions } from './learned-questions.ts';
import { Subscriptions } from './subscriptions.ts';
import { RunningTasks } from './tasks/running-tasks.ts';

/** Who lends a life of a server to sessions, and takes it back. */
export interface Lender {
  release(upstream: Upstream, session: Session): void;
}

export interface UpstreamOptions {
  readonly server: ResolvedServer;
  readonly lender: Lender;
  readonly era: 'legacy' | 'modern';
  /** What the server is told that its client can do. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** Which requests make the server ask, as far as that is known. */
  readonly questions: LearnedQuestions;
  /** `news`: whoever read the list last does not know yet. */
  readonly onListChanged: (upstream: Upstream, method: string, news: boolean) => void;
  /** Makes what keeps its own lists. */
  readonly makeLists: Host['instanceLists'];
  /** Which life this is, among all of the hub. */
  readonly life: number;
  /** Who looks at its traffic. */
  readonly onlooker: () => Onlooker | undefined;
  /** Where it is opened. Default: where the config says. */
  readonly reach?: Outfit['reach'];
  /** The line of one session to the hub that runs it. */
  readonly line?: boolean;
  /** Makes a new connection ready for calls. */
  readonly prepare?: (link: Link) => Promise<void>;
}

/** Pages that people were sent to: so many are remembered until the server says that they are done. */
const MAX_PAGES = 1000;

export class Upstream {
  readonly server: ResolvedServer;
  readonly lender: Lender;
  readonly outfit: Outfit;
  readonly crowd: Crowd;
  readonly subscriptions: Subscriptions = new Subscriptions();
  readonly lists: InstanceLists<Link>;
  /** The session it belongs to; undefined where it is shared, or belongs to nobody yet. */
  owner: Session | undefined;
  /** The person it belongs to, who calls by hand and has no session. */
  person: string | undefined;
  /** Every session that uses it. */
  readonly users: Set<Session> = new Set();
  usedAt: number = performance.now();
  /** How many wait for news of it. */
  watchers: number = 0;
  readonly tasks: RunningTasks = new RunningTasks();
  readonly #options: UpstreamOptions;
  readonly #pages = new Map<string, Party>();
  #instance: Instance | undefined;
  /** The connection that is ready for calls. */
  #prepared: Link | undefined;
  #preparing: Promise<void> | undefined;
  #level: ServerLogLevel | undefined;

  constructor(options: UpstreamOptions) {
    this.#options = options;
    this.server = options.server;
    this.lender = options.lender;
    this.crowd = new Crowd(options.questions);
    this.lists = options.makeLists({
      server: this.server.id,
      connections: { expect: () => this.server, live: () => this.live, ready: () => this.ready() },
      onChanged: list => options.onListChanged(this, `notifications/${list}/list_changed`, true),
    });
    const answers: Answers = {
      capabilities: options.capabilities,
      answer: (method, params, asker) => this.#answer(method, params, asker),
    };
    this.outfit = {
      answers,
      era: options.era,
      onNotification: (method, params, during) => this.#heard(method, (params ?? {}) as object, during),
      onReady: link => this.#onReady(link),
      onlooker: options.onlooker,
      reach: options.reach,
    };
  }

  /** Whether it is a line to where the server runs, and no life of it. */
  get isLine(): boolean {
    return this.#options.line ?? false;
  }

  /** What the server is told that its client can do. */
  get capabilities(): UpstreamOptions['capabilities'] {
    return this.#options.capabilities;
  }

  /** Whose it is, where it belongs to somebody. */
  get principal(): string | undefined {
    return this.owner?.principal ?? this.person;
  }

  get life(): number {
    return this.#options.life;
  }

  /** Somebody began to look at it, or stopped. */
  look(): void {
    this.#instance?.link?.conversation.watch(this.#options.onlooker());
  }

  get instance(): Instance {
    return this.#instance as Instance;
  }

  /** Set right after it was made: each needs the other. */
  set instance(instance: Instance) {
    this.#instance = instance;
  }

  /** Whether it was ended for good, as when its server left the config. */
  get isOver(): boolean {
    return this.instance.givenUp;
  }

  /** The connection, where there is one: lets a call go on without waiting. */
  get live(): Link | undefined {
    const link = this.#instance?.link;
    return link === this.#prepared ? link : undefined;
  }

  async ready(): Promise<Link> {
    const link = await this.instance.ready();
    await this.#preparing;
    return link;
  }

  /** Its tools are known to be others than those the host lists for everybody. */
  listsDiffer(): void {
    this.#options.onListChanged(this, 'notifications/tools/list_changed', this.lists.announce('tools'));
  }

  /** Whether somebody relies on it, though it was not called for long. */
  get inUse(): boolean {
    if (this.crowd.busy || this.subscriptions.size > 0 || this.watchers > 0 || this.tasks.size > 0) return true;
    // Calls of people and of the host itself do not come from a session.
    return this.#instance?.link?.conversation.awaitsAnswers ?? false;
  }

  /** The most talkative of what its users want. */
  async wantLevel(): Promise<void> {
    const ranks = [...this.users].flatMap(({ logLevel }) => (logLevel ? [SERVER_LOG_LEVELS.indexOf(logLevel)] : []));
    const level = ranks.length > 0 ? SERVER_LOG_LEVELS[Math.min(...ranks)] : undefined;
    if (level === undefined || level === this.#level) return;
    this.#level = level;
    await this.#sayLevel(this.live ?? (await this.ready()));
  }

  /** A session is over, or uses another life of the server. */
  forget(session: Session): void {
    this.users.delete(session);
    this.subscriptions.removeAll(session, this.live);
    for (const [id, party] of this.#pages) if (party === session) this.#pages.delete(id);
  }

  async #sayLevel(link: Link): Promise<void> {
    // In the 2026-07-28 era every request says it.
    if (link.greeting.era === 'modern' || link.greeting.capabilities.logging === undefined) return;
    if (this.#level) await link.request('logging/setLevel', { level: this.#level });
  }

  #onReady(link: Link): void {
    this.usedAt = performance.now();
    this.lists.forget();
    this.subscriptions.renew(link);
    this.#sayLevel(link).catch(() => {});
    const prepared = (): void => {
      this.#prepared = link;
    };
    if (this.#options.prepare) this.#preparing = this.#options.prepare(link).then(prepared, prepared);
    else prepared();
  }

  /** The one session that everything here is for. Connections of one run may have a life together. */
  get #sole(): Session | undefined {
    return this.users.size > 1 ? undefined : this.owner;
  }

  #partyFor(during: number | undefined): Party | undefined {
    return this.#sole?.isParty ? this.#sole : this.crowd.whose(during);
  }

  async #answer(method: string, params: unknown, { signal, during }: Asker): Promise<unknown> {
    if (method === 'ping') return {};
    const found = this.tasks.partyOf(params);
    const ofTask = found instanceof Promise ? await found : found;
    const party = ofTask ?? this.#partyFor(during);
    // The stream of a request and the id of a task say whom a question is for: nobody has to be alone for it.
    const isNamed = ofTask !== undefined || (during !== undefined && during >= 0);
    if (!this.#sole && !isNamed) this.crowd.asked(party?.session);
    if (!party) return this.#answerAlone(method, isNamed);
    const question = { server: this.server.id, method, params, signal };
    // What no version of the protocol knows is for the one client it can be for to answer.
    const vendor = !KNOWN_QUESTIONS.has(method) && party === this.#sole;
    if (!vendor && !canBeAsked(party, question)) throw new MethodNotFound(`The client does not serve ${method}.`);
    const { elicitationId } = (params ?? {}) as { elicitationId?: unknown };
    if (typeof elicitationId === 'string') this.#noteVisit(elicitationId, party);
    return party.ask(question);
  }

  #noteVisit(elicitationId: string, party: Party): void {
    this.#pages.set(elicitationId, party);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > MAX_PAGES && oldest !== undefined) this.#pages.delete(oldest);
  }

  /** Nobody, or more than one: it is not guessed whom the server means. */
  #answerAlone(method: string, isNamed: boolean): unknown {
    if (this.crowd.size > 0 && !isNamed) throw new Refusal(REFUSED.inside, SEVERAL);
    // Servers ask for folders as soon as they are greeted, before anybody uses them.
    if (method === 'roots/list') return { roots: [] };
    throw new MethodNotFound(`Nobody is here to whom ${method} could be passed on.`);
  }

  #heard(method: string, params: object, during: number | undefined): void {
    const told = readAnnouncement(method, params);
    if (told && 'changed' in told) return this.#options.onListChanged(this, method, this.lists.announce(told.changed));
    if (told) return this.subscriptions.tell(this.server.id, told.updated, params);
    if (method === 'notifications/message') return this.#logged(params as { level?: unknown }, during);
    // It names no resource.
    if (method === 'notifications/resources/updated') return;
    // The ids of tasks are the hub's: a client is told of its tasks under those.
    if (TASK_NEWS.has(method)) return;
    const { elicitationId } = params as { elicitationId?: unknown };
    if (method === 'notifications/elicitation/complete') {
      const party = this.#pages.get(String(elicitationId));
      this.#pages.delete(String(elicitationId));
      party?.tell(this.server.id, method, params);
      return;
    }
    if (this.#sole?.isParty) this.#sole.tell(this.server.id, method, params);
  }

  #logged(params: { readonly level?: unknown }, during: number | undefined): void {
    const party = this.#partyFor(during);
    if (party && wantsLine(party.logLevel, params.level)) party.tell(this.server.id, 'notifications/message', params);
    // Only for clients that asked for a log are calls kept apart: for all others a lost line is no loss.
    const wanted = [...(party ? [party] : this.crowd.parties)].some(
      ({ logLevel }) => logLevel !== undefined && wantsLine(logLevel, params.level),
    );
    if (wanted && !this.#sole) this.crowd.logged(party?.session);
  }
}

const TASK_NEWS = new Set(['notifications/tasks/status', 'notifications/tasks']);
const KNOWN_QUESTIONS = new Set(['roots/list', 'sampling/createMessage', 'elicitation/create']);
const SEVERAL =
  'Several sessions use this server at the same time, and it cannot be told which of them is meant. ' +
  'From now on such calls run one after the other: try again.';
