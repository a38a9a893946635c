/** What a provider did in place of answering, in plain words. */
import { APICallError, LoadAPIKeyError, type ModelMessage, NoSuchModelError } from 'ai';

export type FailureKind =
  | 'key'
  | 'forbidden'
  | 'model'
  | 'limit'
  | 'too-long'
  | 'refused'
  | 'busy'
  | 'unreachable'
  | 'cut';

export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
  readonly kind: FailureKind;
  /** What the provider or the network said. */
  readonly why: string;
  /** What was said and done before: it did happen, and is to be added to the conversation. */
  messages: readonly ModelMessage[] = [];

  constructor(kind: FailureKind, why: string, cause: unknown) {
    super(SENTENCES[kind], { cause });
    this.kind = kind;
    this.why = why;
  }
}

const SENTENCES: Readonly<Record<FailureKind, string>> = {
  key: 'The model provider does not accept the key.',
  forbidden: 'The model provider does not allow this.',
  model: 'The provider does not know the model.',
  limit: 'The model provider wants fewer requests, also after waiting.',
  'too-long': 'The conversation is too long for the model.',
  refused: 'The model provider refused the request.',
  busy: 'The model provider failed, also when asked again.',
  unreachable: 'The model provider cannot be reached.',
  cut: 'The connection to the model broke off.',
};

/** `begun`: whether the answer had begun to come. */
export function modelFailure(error: unknown, begun: boolean): ModelFailure {
  const last = lastTry(error);
  if (LoadAPIKeyError.isInstance(last)) return new ModelFailure('key', last.message, error);
  if (NoSuchModelError.isInstance(last)) return new ModelFailure('model', last.message, error);
  if (APICallError.isInstance(last) && last.statusCode !== undefined && last.statusCode !== 200) {
    return new ModelFailure(kindOf(last.statusCode, last.message), `HTTP ${last.statusCode}: ${last.message}`, error);
  }
  return new ModelFailure(begun ? 'cut' : 'unreachable', reasonOf(last), error);
}

/** Where it was tried several times, the last one tells most. */
function lastTry(error: unknown): unknown {
  const { lastError } = (error ?? {}) as { lastError?: unknown };
  return lastError ?? error;
}

function kindOf(status: number, message: string): FailureKind {
  if (status === 401) return 'key';
  // Google answers a wrong key with 400.
  if (status === 400 && /api key/i.test(message)) return 'key';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'model';
  if (status === 429) return 'limit';
  if (status === 413 || /context (length|window)|too long|too many tokens|maximum.*tokens/i.test(message))
    return 'too-long';
  return status >= 500 ? 'busy' : 'refused';
}

/** The innermost reason is the one that helps: `fetch failed` says nothing. */
function reasonOf(error: unknown): string {
  let inner = error;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  const { code } = (inner ?? {}) as { code?: unknown };
  const words = inner instanceof Error ? inner.message : String(inner);
  return words || (typeof code === 'string' ? code : 'no reason was given');
}
