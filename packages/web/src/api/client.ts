/** One request to the hub. A browser is known by its cookie, and says with a header that a change is meant. */
import type { ErrorAnswer } from '@junctor/hub/answers';

/** What the hub said no with: a sentence, the reason, and what to do next. */
export class HubError extends Error {
  readonly status: number;
  readonly why: string | undefined;
  readonly hint: string | undefined;

  constructor(status: number, { message, why, hint }: { message: string; why?: string; hint?: string }) {
    super(message);
    this.status = status;
    this.why = why;
    this.hint = hint;
  }

  get isLoggedOut(): boolean {
    return this.status === 401;
  }
}

interface Change {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  /** The version that was edited: a change somebody else made meanwhile is not overwritten. */
  readonly ifMatch?: string | undefined;
}

export async function ask<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  return (await send(path, { headers: {}, ...(signal ? { signal } : {}) })) as Answer;
}

export async function change<Answer>(path: string, { method, body, ifMatch }: Change): Promise<Answer> {
  const headers: Record<string, string> = { 'x-junctor-csrf': await csrf() };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (ifMatch !== undefined) headers['if-match'] = ifMatch;
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return (await send(path, { method, headers, ...sent })) as Answer;
}

let known: Promise<string> | undefined;

/** Asked once for each load of the page: the login it belongs to does not change under it. */
function csrf(): Promise<string> {
  known ??= ask<{ csrf: string | null }>('/api/login').then(
    ({ csrf }) => csrf ?? '',
    error => {
      known = undefined;
      throw error;
    },
  );
  return known;
}

async function send(path: string, init: RequestInit): Promise<unknown> {
  let answer: Response;
  try {
    answer = await fetch(path, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new HubError(0, {
      message: 'The hub does not answer.',
      hint: 'It may have been stopped. Start it again: junctor hub',
    });
  }
  if (answer.status === 204) return undefined;
  const body: unknown = await answer.json().catch(() => undefined);
  if (answer.ok) return body;
  throw new HubError(answer.status, errorIn(body) ?? { message: `The hub answered with status ${answer.status}.` });
}

function errorIn(body: unknown): { message: string; why?: string; hint?: string } | undefined {
  const error = (body as Partial<ErrorAnswer> | undefined)?.error;
  if (!error) return undefined;
  const { message, why, hint } = error;
  return { message, ...(why === undefined ? {} : { why }), ...(hint === undefined ? {} : { hint }) };
}
