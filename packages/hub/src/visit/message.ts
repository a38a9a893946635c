/** A JSON-RPC message of a client, before anybody knows what it means. */
import { isObject, META, nestsTooDeeply, PROTOCOL_VERSIONS } from '@junctor/core/inside';

export interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
  readonly error?: { readonly code?: unknown; readonly message?: unknown; readonly data?: unknown };
}

/** Undefined for what is no JSON object. */
export function parseMessage(text: string): Message | undefined {
  try {
    const message: unknown = JSON.parse(text);
    if (!isObject(message)) return undefined;
    return message.params === undefined || isObject(message.params) ? (message as Message) : { ...message, params: {} };
  } catch {
    return undefined;
  }
}

/** Each level takes two signs: what has fewer is not walked through. */
const FEWEST_SIGNS = 1000;

export const TOO_DEEP = 'Lists and objects stand in each other more than 500 times in this message';

/** Whoever wrote such a message down, or sent it on, would end with it. `text`: what it was read from. */
export function isTooDeep(message: Message, text: string): boolean {
  return text.length > FEWEST_SIGNS && nestsTooDeeply(message);
}

/** The id for an answer to whatever came, which may be no request at all. */
export function idOf({ id }: Message): string | number | null {
  return typeof id === 'string' || typeof id === 'number' ? id : null;
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
