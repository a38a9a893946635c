/**
 * What the server of a task wants to know. A client of the newer era reads the questions with the task and answers them with
 * `tasks/update`; one of the older era gets each as a request, while it waits for the result.
 */
import { isObject, META, nestsTooDeeply, REFUSED, Refusal } from '@junctor/core/internal';
import type { Question } from '../../visit/party.ts';
import type { Session } from '../../visit/session.ts';

interface OpenQuestion {
  readonly method: string;
  readonly params: unknown;
  readonly signal: AbortSignal;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (reason: unknown) => void;
  /** A client of the older era is being asked it now. */
  asking: boolean;
}

export interface QuestionsOf {
  readonly id: string;
  readonly server: string;
}

/** A server that never has enough must not fill the hub. */
const MAX_OPEN = 100;

export class TaskQuestions {
  readonly #of: QuestionsOf;
  readonly #onChange: () => void;
  readonly #open = new Map<string, OpenQuestion>();
  /** Sessions of the older era that wait for the result, each until its signal is aborted. */
  readonly #askable = new Map<Session, AbortSignal>();
  #asked = 0;

  constructor(of: QuestionsOf, onChange: () => void) {
    this.#of = of;
    this.#onChange = onChange;
  }

  get size(): number {
    return this.#open.size;
  }

  /** As the newer era writes them. */
  get open(): Readonly<Record<string, { readonly method: string; readonly params: unknown }>> {
    return Object.fromEntries([...this.#open].map(([key, { method, params }]) => [key, { method, params }]));
  }

  ask({ method, params: given, signal }: Question): Promise<unknown> {
    const params = withoutTask(given);
    // No client could read it.
    if (nestsTooDeeply(params))
      return Promise.reject(new Refusal(REFUSED.inside, 'The question is nested too deeply.'));
    if (this.#open.size >= MAX_OPEN)
      return Promise.reject(new Refusal(REFUSED.inside, 'Too many questions of this task wait for an answer.'));
    const key = `q${++this.#asked}`;
    return new Promise((resolve, reject) => {
      this.#open.set(key, { method, params, signal, resolve, reject, asking: false });
      signal.addEventListener('abort', () => {
        if (!this.#open.delete(key)) return;
        reject(signal.reason);
        this.#onChange();
      });
      this.#onChange();
      this.#put();
    });
  }

  /** Takes the answers that are asked for; others are of no interest. */
  answer(answers: Readonly<Record<string, unknown>>): void {
    let taken = false;
    for (const [key, { resolve }] of [...this.#open]) {
      if (!Object.hasOwn(answers, key)) continue;
      taken = this.#open.delete(key);
      resolve(answers[key]);
    }
    if (taken) this.#onChange();
  }

  /** From now on this session is asked, until the function that comes back is called. */
  askVia(session: Session, gone: AbortSignal): () => void {
    this.#askable.set(session, gone);
    this.#put();
    return () => {
      if (this.#askable.get(session) === gone) this.#askable.delete(session);
    };
  }

  /** The task is over. */
  end(): void {
    for (const { reject } of this.#open.values()) reject(new Refusal(REFUSED.inside, 'The call is over.'));
    this.#open.clear();
    this.#askable.clear();
  }

  #put(): void {
    const [[session, gone] = []] = this.#askable;
    if (!session || !gone || gone.aborted) return;
    for (const [key, open] of this.#open) if (!open.asking) void this.#askSession(key, open, session, gone);
  }

  async #askSession(key: string, open: OpenQuestion, session: Session, gone: AbortSignal): Promise<void> {
    open.asking = true;
    const { id, server } = this.#of;
    const { method, params, signal } = open;
    const meta = isObject(params) && isObject(params._meta) ? params._meta : {};
    const related = { ...(params as object), _meta: { ...meta, [META.relatedTask]: { taskId: id } } };
    try {
      const answer = await session.ask({ server, method, params: related, signal: AbortSignal.any([signal, gone]) });
      this.answer({ [key]: answer });
    } catch (error) {
      open.asking = false;
      // A client that left is asked again when it comes back.
      if (gone.aborted || session.ended) return this.#put();
      if (!this.#open.delete(key)) return;
      open.reject(error);
      this.#onChange();
    }
  }
}

/** Without the id that the task has at its server: the client knows it by another. */
function withoutTask(params: unknown): unknown {
  if (!isObject(params) || !isObject(params._meta)) return params;
  const { [META.relatedTask]: _related, ...meta } = params._meta;
  const { _meta, ...rest } = params;
  return Object.keys(meta).length > 0 ? { ...rest, _meta: meta } : rest;
}
