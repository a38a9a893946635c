/** What a fuzzed client sends in one case: a correct request, or a damaged one. */
import { caseMark, type FuzzCase } from './case.ts';
import { Dice } from './dice.ts';
import { mutate } from './mutate.ts';
import { respelled, spoiled } from './spelling.ts';
import { FUZZ_TOOLS } from './valid-answers.ts';

export interface FuzzedRequest {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

export const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} },
};
const CLIENT_INFO = { 'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' } };
/** Rarely: each name of a client is a session with instances of its own, and the hub runs at most 64 of a server. */
const NAMED = 0.03;

const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** `id`: what the answer must carry. `more` goes into the params of a request that is sent again. */
export function fuzzedRequest(fuzz: FuzzCase, id: number, more: object = {}): FuzzedRequest {
  const dice = new Dice(fuzz.seed ^ 0xc11e, fuzz.number);
  const params = { ...paramsOf(fuzz, dice), ...more };
  const message = messageOf(fuzz, id, params, dice);
  const headers = { ...JSON_HEADERS, ...(fuzz.era === 'modern' ? modernHeaders(fuzz.method, params) : {}) };
  if (fuzz.damaged === 'answer') return { body: Buffer.from(JSON.stringify(message)), headers };
  const damage = { nodes: dice.pick([0, 1, 1, 2, 3]), unparsable: dice.chance(0.1) };
  const text = respelled(mutate(message, dice, damage), dice);
  const body = dice.chance(0.1) ? spoiled(text, dice) : Buffer.from(text);
  return { body, headers: dice.chance(0.1) ? oddHeaders(headers, dice) : headers };
}

/** What a client says to a question of a server: something damaged, then what is correct. */
export function fuzzedReplies(fuzz: FuzzCase, id: unknown, method: unknown): Buffer[] {
  const dice = new Dice(fuzz.seed ^ 0xa5, fuzz.number);
  const message = { jsonrpc: '2.0', id, result: replyTo(method) };
  const damaged = mutate(message, dice, { nodes: 1 + dice.below(2), unparsable: dice.chance(0.1) });
  return [...(dice.chance(0.5) ? [damaged] : []), JSON.stringify(message)].map(text => Buffer.from(text));
}

/** Answers to the questions in a result, some of them damaged. */
export function inputResponses(fuzz: FuzzCase, inputRequests: Readonly<Record<string, unknown>>): object {
  const dice = new Dice(fuzz.seed ^ 0xa6, fuzz.number);
  const entries = Object.entries(inputRequests).map(([key, question]) => {
    const good = replyTo((question as { method?: unknown } | null)?.method);
    return [key, dice.chance(0.7) ? good : JSON.parse(mutate(good, dice, { nodes: 1, unparsable: false }))];
  });
  return Object.fromEntries(entries);
}

function replyTo(method: unknown): object {
  if (method === 'roots/list') return { roots: [{ uri: 'file:///home/fuzz', name: 'fuzz' }] };
  if (method === 'sampling/createMessage')
    return { role: 'assistant', model: 'm', stopReason: 'endTurn', content: { type: 'text', text: 'hello' } };
  return method === 'ping' ? {} : { action: 'accept', content: { name: 'Fuzz' } };
}

function messageOf({ method }: FuzzCase, id: number, params: object, dice: Dice): object {
  if (method === 'answer')
    return {
      jsonrpc: '2.0',
      id: dice.pick([id, 'q', 0, dice.below(1000)]),
      result: replyTo(dice.pick(['ping', 'roots/list'])),
    };
  if (method.startsWith('notifications/')) return { jsonrpc: '2.0', method, params };
  return { jsonrpc: '2.0', id, method, params };
}

function paramsOf({ number, endpoint, upstream, era, method }: FuzzCase, dice: Dice): object {
  const mark = caseMark(number);
  const isAgent = endpoint === 'agent';
  const name = (own: string): string => (isAgent ? `${upstream}_${own}` : own);
  const uri = isAgent ? `junctor://${upstream}/fuzz://note/${mark}` : `fuzz://note/${mark}`;
  const _meta = {
    ...(era === 'modern' ? MODERN_META : {}),
    ...(era === 'modern' && dice.chance(NAMED) ? CLIENT_INFO : {}),
    ...(dice.chance(0.3) ? { progressToken: dice.pick<unknown>([number, mark, 0, '']) } : {}),
  };
  const meta = Object.keys(_meta).length > 0 ? { _meta } : {};
  return { ...ownParams(method, { mark, name, uri, number }, dice), ...meta };
}

interface Names {
  readonly mark: string;
  readonly uri: string;
  readonly number: number;
  name(own: string): string;
}

function ownParams(method: string, { mark, uri, number, name }: Names, dice: Dice): object {
  switch (method) {
    case 'tools/call':
      if (dice.chance(0.05)) return { name: dice.pick(HUB_TOOLS), arguments: hubArguments(mark) };
      return { name: name(dice.pick(FUZZ_TOOLS)), arguments: { mark, big: 1, list: [1, { a: null }], text: 'grüße' } };
    case 'prompts/get':
      return { name: name('ask'), arguments: { what: mark } };
    case 'completion/complete':
      return { ref: { type: 'ref/prompt', name: name('ask') }, argument: { name: 'what', value: mark } };
    case 'resources/read':
    case 'resources/subscribe':
    case 'resources/unsubscribe':
      return { uri };
    case 'initialize':
      return { protocolVersion: '2025-11-25', capabilities: { roots: {} }, clientInfo: { name: 'fuzz', version: '1' } };
    case 'logging/setLevel':
      return { level: dice.pick(['debug', 'error', 'loud']) };
    case 'notifications/cancelled':
      return { requestId: dice.pick<unknown>([number - 1, 'x', null, 1.5]), reason: mark };
    case 'notifications/progress':
      return { progressToken: dice.pick<unknown>([1, 'x', null]), progress: 1 };
    case 'subscriptions/listen':
      return { notifications: { toolsListChanged: true, resourceSubscriptions: [uri] } };
    case 'tasks/get':
      return { taskId: mark };
    default:
      return method.endsWith('/list') && dice.chance(0.8) ? { cursor: mark } : {};
  }
}

/** Tools of the hub itself, which it has for agents that search. */
const HUB_TOOLS = ['find_tools', 'read_result', 'call_tool'];

/** What any of them takes. */
function hubArguments(mark: string): object {
  return { query: mark, name: 'call', arguments: {}, id: mark, range: { from: 0, to: 10 }, limit: 3 };
}

function modernHeaders(method: string, params: { name?: unknown; uri?: unknown }): Record<string, string> {
  const name = params.name ?? params.uri;
  const named = typeof name === 'string' ? { 'mcp-name': name } : {};
  return { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...named };
}

function oddHeaders(headers: Readonly<Record<string, string>>, dice: Dice): Record<string, string> {
  const changed: Record<string, string> = { ...headers };
  const key = dice.pick(['content-type', 'accept', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id']);
  if (dice.chance(0.3)) delete changed[key];
  else changed[key] = dice.pick(['', 'x', 'text/plain', '1999-01-01', '=?base64?!?=', 'a'.repeat(3000), '\u00ff']);
  return changed;
}
