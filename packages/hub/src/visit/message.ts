/** A JSON-RPC message of a client, before anybody knows what it means. */
import {
  isObject,
  isRawNumber,
  META,
  nestsTooDeeply,
  PROTOCOL_VERSIONS,
  parseKeepingDigits,
  type RawNumber,
} from '@junctor/core/internal';

/** As it was written: an id of twenty digits is answered with all of them. */
export type RequestId = string | number | RawNumber;

export interface Message {
  readonly id?: RequestId | null;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
  readonly error?: { readonly code?: unknown; readonly message?: unknown; readonly data?: unknown };
}

/** Undefined for what is no JSON object. Numbers keep their digits: servers get arguments as the client wrote them. */
export function parseMessage(text: string): Message | undefined {
  try {
    const message = parseKeepingDigits(text);
    if (!isObject(message)) return undefined;
    const { params } = message;
    const isFit = params === undefined || (isObject(params) && !isRawNumber(params));
    return isFit ? (message as Message) : { ...message, params: {} };
  } catch {
    return undefined;
  }
}

/** Which param of a request has to be a text: what is called, read, followed or looked up. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'resources/subscribe': 'uri',
  'resources/unsubscribe': 'uri',
  'tasks/get': 'taskId',
  'tasks/result': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** Why a request is refused before anybody looks at it: a name that is no text could mean one thing here and another there. */
export function misnamed(method: string, params: Readonly<Record<string, unknown>>): string | undefined {
  const field = Object.hasOwn(NAMED_BY, method) ? (NAMED_BY[method] as string) : undefined;
  if (field === undefined || typeof params[field] === 'string') return undefined;
  return `The ${field} of ${method} must be a string`;
}

/** Each level takes two signs: what has fewer is not walked through. */
const FEWEST_SIGNS = 1000;

const TOO_DEEP = 'Lists and objects stand in each other more than 500 times in this message';

/** Whoever wrote such a message down, or sent it on, would end with it. `text`: what it was read from. */
function isTooDeep(message: Message, text: string): boolean {
  return text.length > FEWEST_SIGNS && nestsTooDeeply(message);
}

/** Why a message is refused, whatever it asks for. `text`: what it was read from. */
export function unfitMessage(message: Message, text: string): string | undefined {
  const { method } = message as { readonly method?: unknown };
  if (method !== undefined && typeof method !== 'string') return 'The method of a message must be a string';
  return isTooDeep(message, text) ? TOO_DEEP : undefined;
}

/** The id for an answer to whatever came, which may be no request at all. */
export function idOf({ id }: Message): RequestId | null {
  return typeof id === 'string' || typeof id === 'number' || isRawNumber(id) ? id : null;
}

const ONLY_MODERN = new Set<string | undefined>(['server/discover', 'subscriptions/listen']);

/** Which era a message belongs to: both are spoken at one address. `header` is the version that HTTP says. */
export function isModern({ method, params }: Message, header?: string): boolean {
  const meta = params?._meta as Record<string, unknown> | undefined;
  if (meta?.[META.protocolVersion] !== undefined) return true;
  if (method === 'initialize') return false;
  if (header !== undefined) return !(PROTOCOL_VERSIONS as readonly string[]).includes(header);
  return ONLY_MODERN.has(method);
}
