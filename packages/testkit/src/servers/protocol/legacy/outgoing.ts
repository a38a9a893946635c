/** Requests from the server to its client, and the answers that come back. */
import { randomUUID } from 'node:crypto';
import type { Message, Params, RequestId, Say } from '../../rpc.ts';
import { type Answers, isAnswer, lackingFor, type Question, type Questions } from '../question.ts';
import { Unanswered } from '../request-context.ts';

export interface Way {
  readonly say: Say;
  /** Gives up, and tells the client so, once it aborts. */
  readonly signal: AbortSignal;
  readonly capabilities: Params;
}

export class Outgoing {
  readonly #waiting = new Map<RequestId, (message: Message) => void>();
  #count = 0;

  async ask(questions: Questions, way: Way): Promise<Answers> {
    const answers = Object.entries(questions).map(
      async ([key, question]): Promise<[string, Params]> => [key, await this.#askOne(question, way)],
    );
    return Object.fromEntries(await Promise.all(answers));
  }

  /** Takes an answer of the client. One that nobody waits for is of no interest. */
  settle(message: Message): void {
    const { id } = message;
    if (id === undefined) return;
    const take = this.#waiting.get(id);
    this.#waiting.delete(id);
    take?.(message);
  }

  async #askOne(question: Question, way: Way): Promise<Params> {
    const lacking = lackingFor(question, way.capabilities);
    if (lacking) throw new Unanswered(`the client cannot be asked: it does not declare ${JSON.stringify(lacking)}`);
    if (question.params.mode !== 'url') return this.#send(question, way);
    const elicitationId = randomUUID();
    const answer = await this.#send({ ...question, params: { ...question.params, elicitationId } }, way);
    // No page of ours could tell when the person is done there: agreeing is as good.
    if (answer.action === 'accept') {
      way.say({ jsonrpc: '2.0', method: 'notifications/elicitation/complete', params: { elicitationId } });
    }
    return answer;
  }

  #send(question: Question, { say, signal }: Way): Promise<Params> {
    signal.throwIfAborted();
    const id = `ask-${++this.#count}`;
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.#waiting.delete(id);
        say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
        reject(signal.reason);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.set(id, ({ result, error }) => {
        signal.removeEventListener('abort', giveUp);
        if (error) reject(new Unanswered(`the client refused ${question.method}: ${error.message}`));
        else if (isAnswer(question, result)) resolve(result);
        else reject(new Unanswered(`the client answered ${question.method} with something else`));
      });
      say({ jsonrpc: '2.0', id, method: question.method, params: question.params });
    });
  }
}
