/** What a server may ask its client, and what counts as an answer. */
import { type Params, record } from '../rpc.ts';

export interface Question {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params: Params;
}

export type Questions = Readonly<Record<string, Question>>;

export type Answers = Readonly<Record<string, Params>>;

/** A form with these fields, for a person. */
export function form(message: string, properties: object, required: readonly string[] = []): Question {
  return {
    method: 'elicitation/create',
    params: { message, requestedSchema: { type: 'object', properties, required } },
  };
}

/** A page that a person is to open. */
export function page(message: string, url: string): Question {
  return { method: 'elicitation/create', params: { mode: 'url', message, url } };
}

/** Something for the client's model to answer. */
export function prompt(text: string, maxTokens: number): Question {
  return {
    method: 'sampling/createMessage',
    params: { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens },
  };
}

export const roots: Question = { method: 'roots/list', params: {} };

/** The capability a client lacks for this question, as it would declare it; undefined when it has it. */
export function lackingFor({ method, params }: Question, capabilities: Params): Params | undefined {
  if (method === 'roots/list') return capabilities.roots ? undefined : { roots: {} };
  if (method === 'sampling/createMessage') return capabilities.sampling ? undefined : { sampling: {} };
  if (!capabilities.elicitation) return { elicitation: params.mode === 'url' ? { url: {} } : {} };
  const { form: forms, url } = record(capabilities.elicitation);
  if (params.mode === 'url') return url ? undefined : { elicitation: { url: {} } };
  // A client that names no mode has forms: they were there first.
  return forms || !url ? undefined : { elicitation: { form: {} } };
}

export function isAnswer({ method }: Question, value: unknown): value is Params {
  const answer = record(value);
  if (method === 'roots/list') return Array.isArray(answer.roots);
  if (method === 'sampling/createMessage') return answer.content !== undefined && typeof answer.model === 'string';
  return ['accept', 'decline', 'cancel'].includes(String(answer.action));
}
