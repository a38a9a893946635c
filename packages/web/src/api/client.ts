/** One request to the hub. A browser is known by its cookie, and says with a header that a change is meant. */
import type { ErrorAnswer } from '@junctor/hub/answers';
import { hubAddress } from './hub-address.ts';

type Told = Pick<ErrorAnswer['error'], 'message' | 'why' | 'hint' | 'problems'>;

/** What the hub said no with: a sentence, the reason, and what to do next. */
export class HubError extends Error {
  readonly status: number;
  readonly why: string | undefined;
  readonly hint: string | undefined;
  /** Everything that is wrong with what was sent, each with its place. */
  readonly problems: NonNullable<Told['problems']>;

  constructor(status: number, { message, why, hint, problems = [] }: Told) {
    super(message);
    this.status = status;
    this.why = why;
    this.hint = hint;
    this.problems = problems;
  }

  /** Somebody else changed it since it was read. */
  get isOutdated(): boolean {
    return this.status === 412;
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
  readonly signal?: AbortSignal;
}

export interface Tagged<Answer> {
  readonly body: Answer;
  readonly tag: string | undefined;
}

export async function ask<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  return (await askTagged<Answer>(path, signal)).body;
}

/** With the name of this version: what a change is sent with. */
export async function askTagged<Answer>(path: string, signal?: AbortSignal): Promise<Tagged<Answer>> {
  return (await send(path, { headers: {}, ...(signal ? { signal } : {}) })) as Tagged<Answer>;
}

export async function change<Answer>(path: string, { method, body, ifMatch, signal }: Change): Promise<Answer> {
  const headers: Record<string, string> = { 'x-junctor-csrf': await csrf() };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (ifMatch !== undefined) headers['if-match'] = ifMatch;
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return (await send(path, { method, headers, ...sent, ...(signal ? { signal } : {}) })).body as Answer;
}

/** A change whose answer comes piece by piece: each line is JSON. */
export async function changeInLines<Line>(
  path: string,
  { body, onLine, signal }: { body: unknown; onLine: (line: Line) => void; signal: AbortSignal },
): Promise<void> {
  const headers = { 'x-junctor-csrf': await csrf(), 'content-type': 'application/json' };
  const answer = await reach(path, { method: 'POST', headers, body: JSON.stringify(body), signal });
  if (!answer.ok || !answer.body) throw await refusalIn(answer);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const lines = (rest + piece.value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(JSON.parse(line) as Line);
  }
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

async function send(path: string, init: RequestInit): Promise<Tagged<unknown>> {
  const answer = await reach(path, init);
  if (!answer.ok) throw await refusalIn(answer);
  const body: unknown = answer.status === 204 ? undefined : await answer.json();
  return { body, tag: answer.headers.get('etag') ?? undefined };
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(hubAddress(path), init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new HubError(0, {
      message: 'The hub does not answer.',
      hint: 'It may have been stopped. Start it again as it was started before.',
    });
  }
}

async function refusalIn(answer: Response): Promise<HubError> {
  const body = (await answer.json().catch(() => undefined)) as Partial<ErrorAnswer> | undefined;
  return new HubError(answer.status, body?.error ?? { message: `The hub answered with status ${answer.status}.` });
}
