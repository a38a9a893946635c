/**
 * What the hub knows of servers that ask their clients, kept in its database: a clash of two sessions is learned from once,
 * and not once after each start. Hubs on one database learn from each other.
 */
import { hash } from 'node:crypto';
import type { ResolvedServer } from '@junctor/core';
import { canonicalJson } from '@junctor/core/internal';
import { inWords } from '../replicas/in-words.ts';
import type { Notices } from '../replicas/notices.ts';
import { QuestionRows } from '../store/question-rows.ts';
import type { Store } from '../store/store.ts';
import { LearnedQuestions } from './learned-questions.ts';

export interface AskingServersOptions {
  readonly store: Store;
  readonly notices: Notices;
  readonly onProblem: (sentence: string) => void;
}

export class AskingServers {
  readonly #options: AskingServersOptions;
  readonly #rows: QuestionRows;
  readonly #known = new Map<string, LearnedQuestions>();
  /** One write after the other. */
  #writing: Promise<void> = Promise.resolve();
  readonly #stop: () => void;

  private constructor(options: AskingServersOptions) {
    this.#options = options;
    this.#rows = new QuestionRows(options.store);
    this.#stop = options.notices.on('questions', server => this.#read(server));
  }

  static async open(options: AskingServersOptions): Promise<AskingServers> {
    const servers = new AskingServers(options);
    await servers.#read();
    return servers;
  }

  /** What is known of a server: the same for every instance of it. */
  of(server: ResolvedServer): LearnedQuestions {
    return this.#at(keyOf(server));
  }

  /** Waits until everything is written. */
  close(): Promise<void> {
    this.#stop();
    return this.#writing;
  }

  #at(key: string): LearnedQuestions {
    const known = this.#known.get(key);
    if (known) return known;
    const learned: LearnedQuestions = new LearnedQuestions(() => {
      this.#writing = this.#writing.then(() => this.#write(key, learned));
    });
    this.#known.set(key, learned);
    return learned;
  }

  async #read(server?: string): Promise<void> {
    for (const [key, body] of await this.#rows.read(server)) this.#at(key).merge(body);
  }

  async #write(key: string, learned: LearnedQuestions): Promise<void> {
    const { notices, onProblem } = this.#options;
    try {
      await this.#rows.change(key, stored => JSON.stringify(learned.merge(stored)));
      await notices.tell('questions', key);
    } catch (error) {
      onProblem(`what was learned about a server that asks questions is not kept: ${inWords(error)}`);
    }
  }
}

/** Other credentials or other limits do not change what a server asks. */
function keyOf({ id, endpoint }: ResolvedServer): string {
  const reached =
    endpoint.transport === 'stdio'
      ? [endpoint.command, endpoint.args]
      : [endpoint.url, endpoint.program?.command, endpoint.program?.args];
  return hash('sha256', canonicalJson([id, endpoint.transport, ...reached.map(one => one ?? null)]), 'hex');
}
