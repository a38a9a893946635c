/**
 * What a recorded server would answer. A request is the same as a recorded one when method and params are, whatever its id,
 * its progress token and the client's own description in `_meta`. Repeated requests get the recorded answers in their order,
 * and then the last one again. Pure.
 */
import { canonicalJson } from '../../base/json/canonical-json.ts';
import { sameJson } from '../../base/json/same-json.ts';
import { MASK } from '../../base/log/redact.ts';
import { META } from '../../connections/protocol/envelope.ts';
import type { RecordedMessage, RpcMessage } from './recording.ts';

/** What the server did after one request, in order. */
export type ReplayStep =
  | { readonly kind: 'answer'; readonly message: RpcMessage }
  | { readonly kind: 'notify'; readonly message: RpcMessage }
  | { readonly kind: 'ask'; readonly message: RpcMessage };

interface Exchange {
  readonly method: string;
  readonly params: unknown;
  readonly steps: ReplayStep[];
}

interface Line {
  readonly exchanges: readonly Exchange[];
  next: number;
}

export class Replay {
  readonly methods: ReadonlySet<string>;
  readonly #lines = new Map<string, Line>();
  readonly #masked: readonly Exchange[];

  constructor(messages: readonly RecordedMessage[]) {
    const exchanges = exchangesOf(messages);
    this.methods = new Set(exchanges.map(({ method }) => method));
    this.#masked = exchanges.filter(({ params }) => canonicalJson(params).includes(MASK));
    for (const [key, same] of Map.groupBy(exchanges, ({ method, params }) => keyOf(method, params))) {
      this.#lines.set(key, { exchanges: same, next: 0 });
    }
  }

  /** Undefined where nothing like it was recorded. */
  stepsFor(method: string, params: unknown): readonly ReplayStep[] | undefined {
    const asked = comparable(method, params);
    const masked = (): Exchange | undefined =>
      this.#masked.find(exchange => exchange.method === method && isMaskOf(comparable(method, exchange.params), asked));
    const line = this.#lines.get(keyOf(method, params)) ?? this.#lineOf(masked());
    if (!line) return undefined;
    const exchange = line.exchanges[Math.min(line.next, line.exchanges.length - 1)];
    line.next++;
    return exchange?.steps;
  }

  #lineOf(exchange: Exchange | undefined): Line | undefined {
    return exchange && this.#lines.get(keyOf(exchange.method, exchange.params));
  }
}

function exchangesOf(messages: readonly RecordedMessage[]): Exchange[] {
  const sessions = Map.groupBy(messages, ({ session }) => session);
  return [...sessions.values()].flatMap(exchangesOfSession);
}

/** What the server says of its own accord belongs to the request that is out, else to the one that was. */
function exchangesOfSession(messages: readonly RecordedMessage[]): Exchange[] {
  const all: Exchange[] = [];
  const open = new Map<string, Exchange>();
  let last: Exchange | undefined;
  for (const { from, message } of messages) {
    const { id, method, params } = message;
    const key = JSON.stringify(id);
    if (from === 'client') {
      if (typeof method !== 'string' || id === undefined) continue;
      const exchange = { method, params, steps: [] };
      open.set(key, exchange);
      all.push(exchange);
    } else if (typeof method !== 'string') {
      const exchange = open.get(key);
      open.delete(key);
      exchange?.steps.push({ kind: 'answer', message });
      last = exchange ?? last;
    } else {
      const owner = ownerOf(message, open) ?? [...open.values()].at(-1) ?? last;
      owner?.steps.push({ kind: id === undefined ? 'notify' : 'ask', message });
    }
  }
  return all;
}

function ownerOf({ params }: RpcMessage, open: ReadonlyMap<string, Exchange>): Exchange | undefined {
  const { progressToken, _meta } = (params ?? {}) as { progressToken?: unknown; _meta?: Record<string, unknown> };
  const subscription = _meta?.[META.subscriptionId];
  if (subscription !== undefined) return open.get(JSON.stringify(subscription));
  if (progressToken === undefined) return undefined;
  return [...open.values()].find(exchange => sameJson(tokenOf(exchange.params), progressToken));
}

export function tokenOf(params: unknown): unknown {
  return (params as { _meta?: { progressToken?: unknown } } | undefined)?._meta?.progressToken;
}

/** Greetings say who the client is: whoever replays is somebody else. */
const GREETINGS = new Set(['initialize', 'server/discover', 'ping']);

function comparable(method: string, params: unknown): unknown {
  if (GREETINGS.has(method) || typeof params !== 'object' || params === null) return {};
  const { _meta, inputResponses, ...rest } = params as Record<string, unknown>;
  // The state a server gave out says which question is answered; what the answer was need not be the same.
  return rest.requestState === undefined && inputResponses !== undefined ? { ...rest, inputResponses } : rest;
}

function keyOf(method: string, params: unknown): string {
  return `${method} ${canonicalJson(comparable(method, params))}`;
}

/** A text that was masked stands for any text in its place. */
function isMaskOf(recorded: unknown, asked: unknown): boolean {
  if (typeof recorded === 'string' && recorded.includes(MASK)) {
    const pieces = recorded.split(MASK).map(piece => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return typeof asked === 'string' && new RegExp(`^${pieces.join('[\\s\\S]*')}$`).test(asked);
  }
  if (typeof recorded !== 'object' || recorded === null) return recorded === asked;
  if (typeof asked !== 'object' || asked === null || Array.isArray(asked) !== Array.isArray(recorded)) return false;
  const keys = Object.keys(recorded);
  return (
    keys.length === Object.keys(asked).length &&
    keys.every(key => isMaskOf((recorded as Record<string, unknown>)[key], (asked as Record<string, unknown>)[key]))
  );
}
