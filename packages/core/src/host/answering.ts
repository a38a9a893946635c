/** What a host says to its servers besides calls: answers to what they ask, and what they are to know unasked. */
import { JunctorError } from '../base/error.ts';
import type { Log } from '../base/log/log.ts';
import type { Answers, Asker } from '../connections/client-features/answers.ts';
import { type AnswerFailure, createAnswers } from '../connections/client-features/create-answers.ts';
import type { Elicit } from '../connections/client-features/elicitation.ts';
import { readLogMessage, type ServerLogLevel, writeLogMessage } from '../connections/client-features/log-message.ts';
import { Roots, type RootsSource } from '../connections/client-features/roots.ts';
import type { Sample, SamplingExtras, SamplingRequest } from '../connections/client-features/sampling.ts';
import { type SandboxState, tellSandboxState } from '../connections/client-features/sandbox-state.ts';
import type { Link } from '../connections/link.ts';
import type { Links } from '../connections/links.ts';
import { readAnswer } from '../permissions/answer.ts';
import type { Ask } from '../permissions/approvals.ts';
import type { HostEvent } from './events.ts';

/** What an embedding program brings along for its servers. Servers are told of nothing that is not here. */
export interface AnswerOptions {
  /** Folders that servers may know of; `[]` where they come later, through `setRoots`. */
  readonly roots?: RootsSource | undefined;
  /** Runs the agent's model for a server. A server that is not trusted needs a yes of `ask` for each request. */
  readonly sample?: Sample | undefined;
  /** What `sample` can do beyond plain messages. */
  readonly sampling?: SamplingExtras | undefined;
  /** Asks the person for a server: a form to fill in, or a page to visit. */
  readonly elicit?: Elicit | undefined;
  /** The least important messages of servers' own logs. Default: what each server thinks best. */
  readonly serverLogLevel?: ServerLogLevel | undefined;
  /** What servers with the capability `codex/sandbox-state` are told. */
  readonly sandboxState?: SandboxState | undefined;
}

export interface AnsweringOptions extends AnswerOptions {
  readonly ask?: Ask | undefined;
  readonly log: Log;
  readonly isTrusted: (server: string) => boolean;
  readonly emit: (event: HostEvent) => void;
}

/** How the question whether a model may run reaches `ask`: no tool can have this name. */
export const SAMPLING = 'sampling/createMessage';

export class Answering {
  readonly answers: Answers;
  readonly #options: AnsweringOptions;
  readonly #roots: Roots | undefined;
  #givenState: SandboxState | undefined;
  #policyState: SandboxState | undefined;

  constructor(options: AnsweringOptions, policyState: SandboxState | undefined) {
    this.#options = options;
    this.#roots = options.roots === undefined ? undefined : new Roots(options.roots);
    this.#givenState = options.sandboxState;
    this.#policyState = policyState;
    this.answers = createAnswers({
      roots: this.#roots,
      sample: options.sample,
      sampling: options.sampling,
      maySample: (request, asker) => this.#maySample(request, asker),
      elicit: options.elicit,
      logLevel: options.serverLogLevel,
      onFailure: failure => this.#onFailure(failure),
    });
  }

  /** What a server is told as soon as it is greeted. */
  greeted(link: Link): void {
    const { serverLogLevel: level, log } = this.#options;
    const { era, capabilities } = link.greeting;
    // In the 2026-07-28 era every request says it.
    if (level !== undefined && era === 'legacy' && capabilities.logging !== undefined) {
      link.request('logging/setLevel', { level }).catch(error => {
        log.debug('a server did not take the log level', { server: link.server.id, error });
      });
    }
    this.#tellState([link]);
  }

  /** What a notification of a server means to whoever listens to the host. */
  heard(server: string, method: string, params: unknown): void {
    const { serverLogLevel, log, emit } = this.#options;
    if (method === 'notifications/message') {
      const message = readLogMessage(server, params, serverLogLevel);
      if (!message) return;
      writeLogMessage(log, message);
      emit({ type: 'log-message', ...message });
    } else if (method === 'notifications/elicitation/complete') {
      const { elicitationId } = (params ?? {}) as { elicitationId?: unknown };
      if (typeof elicitationId !== 'string' || !this.answers.visited?.(server, elicitationId)) return;
      emit({ type: 'elicitation-complete', server, elicitation_id: elicitationId });
    }
  }

  setRoots(links: Links, roots: RootsSource): void {
    if (!this.#roots) {
      throw new JunctorError('usage', 'This host has told its servers that it knows no roots.', {
        hint: 'pass roots: [] to createHost where they are only known later',
      });
    }
    this.#roots.replace(roots);
    for (const { greeting, conversation } of alive(links)) {
      if (greeting.era === 'legacy') conversation.notify('notifications/roots/list_changed');
    }
  }

  setSandboxState(links: Links, state: SandboxState): void {
    this.#givenState = state;
    this.#tellState(alive(links));
  }

  /** The config was read again. Servers hear of it only where the policy is another one. */
  setPolicyState(links: Links, state: SandboxState | undefined): void {
    if (JSON.stringify(state) === JSON.stringify(this.#policyState)) return;
    this.#policyState = state;
    this.#tellState(alive(links));
  }

  #tellState(links: readonly Link[]): void {
    if (!this.#givenState && !this.#policyState) return;
    for (const link of links) tellSandboxState(link, { ...this.#policyState, ...this.#givenState });
  }

  async #maySample(request: SamplingRequest, { server }: Asker): Promise<boolean> {
    const { ask, isTrusted } = this.#options;
    if (isTrusted(server)) return true;
    const because = `server '${server}' wants your model to write something, and is not trusted`;
    if (!ask) return false;
    const answer = await ask({ server, tool: SAMPLING, args: { ...request }, because });
    return readAnswer(answer, request).scope !== 'deny';
  }

  #onFailure({ server, method, error }: AnswerFailure): void {
    this.#options.log.error('a server got no answer', { server, method, error });
    this.#options.emit({ type: 'answer-failed', server, method, error });
  }
}

function alive(links: Links): Link[] {
  return links.ids.flatMap(id => links.live(id) ?? []);
}
