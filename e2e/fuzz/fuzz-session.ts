/** Sends the requests of cases to a hub and says what is wrong with what comes back. */
import { type FuzzCase, fuzzedReplies, fuzzedRequest, inputResponses, MODERN_META } from '@junctor/testkit/fuzz';
import { type FuzzHttpClient, messagesIn, type RawAnswer } from './http-client.ts';

export const AGENT_PATH = '/mcp/codex';
const CUT_AGENT_PATH = '/mcp/cursor';
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
/** Beyond it a client of the modern era leaves a server that asks again and again. */
const MOST_ROUNDS = 4;
/** Sessions per endpoint: the first answers questions, the second says that it cannot. */
const SESSIONS = 2;

type Answer = Readonly<Record<string, unknown>>;

export class FuzzSession {
  readonly #client: FuzzHttpClient;
  readonly #sessions = new Map<string, Promise<string>>();
  /** Above every id that a damaged notification cancels: a cancelled request has no answer. */
  #lastId = 1_000_000;

  constructor(client: FuzzHttpClient) {
    this.#client = client;
  }

  /** Undefined where all is well. */
  async run(fuzz: FuzzCase): Promise<string | undefined> {
    try {
      return fuzz.damaged === 'answer' ? await this.#ask(fuzz) : await this.#disturb(fuzz);
    } catch (error) {
      return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    }
  }

  async close(): Promise<void> {
    for (const [key, session] of this.#sessions) await this.end(key.slice(2), await session);
  }

  /** A correct request gets one answer: a result or an error, under its id. */
  async #ask(fuzz: FuzzCase): Promise<string | undefined> {
    let more: object | undefined;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const id = ++this.#lastId;
      const { status, text } = await this.#send(fuzz, id, more);
      if (status === 404 && text.includes('session is over')) return undefined;
      if (isPassedOn(text, id)) return undefined;
      const answers = messagesIn(text).filter(message => message.method === undefined);
      const [answer] = answers;
      if (!answer || answers.length > 1 || answer.id !== id || 'result' in answer === 'error' in answer)
        return `HTTP ${status}, not one answer with the id ${id}: ${text.slice(0, 500)}`;
      more = fuzz.era === 'modern' ? furtherParams(fuzz, answer) : undefined;
      if (!more) return undefined;
    }
  }

  /** A damaged one gets a response that ends, and is never answered with an error of the hub itself. */
  async #disturb(fuzz: FuzzCase): Promise<string | undefined> {
    const { status, headers, text } = await this.#send(fuzz, ++this.#lastId);
    const opened = headers['mcp-session-id'];
    if (typeof opened === 'string' && fuzz.method === 'initialize') await this.end(pathOf(fuzz), opened);
    if (status >= 500) return `HTTP ${status}: ${text.slice(0, 500)}`;
    // A damaged request may still reach its server, and get the damaged answer of its case.
    if (text !== '' && status !== 404 && status !== 415 && !isPassedOn(text)) messagesIn(text);
    return undefined;
  }

  async #send(fuzz: FuzzCase, id: number, more?: object): Promise<RawAnswer> {
    const path = pathOf(fuzz);
    const { body, headers } = fuzzedRequest(fuzz, id, more);
    const own: Record<string, string> = fuzz.era === 'legacy' ? { 'mcp-session-id': await this.#session(fuzz) } : {};
    const answer = await this.#client.send({
      path,
      headers: { ...own, ...headers },
      body,
      isEndless: fuzz.method === 'subscriptions/listen',
      onMessage: message => {
        if (message.method !== undefined && message.id !== undefined && own['mcp-session-id'])
          void this.#reply(fuzz, message, path, own);
      },
    });
    const isOver = answer.status === 404 && answer.text.includes('session is over');
    // An odd session id is refused in the same words: the session itself goes on.
    if (isOver && headers['mcp-session-id'] === undefined) this.#sessions.delete(keyOf(fuzz));
    return answer;
  }

  /** Answers a question of the server. The damaged answer may count for none: the correct one follows, so that no call waits. */
  async #reply(fuzz: FuzzCase, { id, method }: Answer, path: string, own: Record<string, string>): Promise<void> {
    for (const body of fuzzedReplies(fuzz, id, method))
      await this.#client.send({ path, headers: { ...HEADERS, ...own }, body }).catch(() => {});
  }

  #session(fuzz: FuzzCase): Promise<string> {
    const key = keyOf(fuzz);
    const known = this.#sessions.get(key);
    if (known) return known;
    const capabilities = key.startsWith('0') ? { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} } : {};
    const opened = this.open(pathOf(fuzz), capabilities);
    this.#sessions.set(key, opened);
    return opened;
  }

  async open(path: string, capabilities: object): Promise<string> {
    const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'fuzz', version: '1' } };
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }));
    const { status, headers, text } = await this.#client.send({ path, headers: HEADERS, body });
    const id = headers['mcp-session-id'];
    if (typeof id !== 'string') throw new Error(`initialize at ${path}: HTTP ${status}: ${text}`);
    return id;
  }

  async end(path: string, session: string): Promise<void> {
    const headers = { 'mcp-session-id': session };
    await this.#client.send({ path, method: 'DELETE', headers, body: Buffer.alloc(0) });
  }

  /** A correct call in a session that is opened for it. */
  async callLegacy(path: string, params: object): Promise<Answer | undefined> {
    const session = await this.open(path, {});
    const answer = await this.#call(path, params, { 'mcp-session-id': session });
    await this.end(path, session);
    return answer;
  }

  callModern(path: string, params: { readonly name: string }): Promise<Answer | undefined> {
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': params.name };
    return this.#call(path, { ...params, _meta: MODERN_META }, headers);
  }

  async #call(path: string, params: object, headers: Record<string, string>): Promise<Answer | undefined> {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
    const { text } = await this.#client.send({ path, headers: { ...HEADERS, ...headers }, body });
    return messagesIn(text).at(-1);
  }
}

/** Of two agents, one gets its results cut short. */
export function pathOf({ endpoint, upstream, number }: Pick<FuzzCase, 'endpoint' | 'upstream' | 'number'>): string {
  if (endpoint === 'server') return `/servers/${upstream}/mcp`;
  return number % 4 === 0 ? CUT_AGENT_PATH : AGENT_PATH;
}

function keyOf(fuzz: FuzzCase): string {
  return `${fuzz.number % SESSIONS} ${pathOf(fuzz)}`;
}

/**
 * The hub passes the bytes of an answer on without parsing them: where a server writes something that only looks like JSON
 * after the id, its own request gets it, and nothing else does.
 */
function isPassedOn(text: string, id?: number): boolean {
  if (!new RegExp(`"id":\\s*${id === undefined ? '' : `${id}\\b`}`).test(text)) return false;
  try {
    messagesIn(text);
    return false;
  } catch {
    return true;
  }
}

/** What is sent along with the same request, once the client has answered what the server wants to know. */
function furtherParams(fuzz: FuzzCase, { result }: Answer): object | undefined {
  const { resultType, inputRequests, requestState } = (result ?? {}) as Record<string, unknown>;
  if (resultType !== 'input_required') return undefined;
  const asked = typeof inputRequests === 'object' && inputRequests !== null ? inputRequests : {};
  const more = { inputResponses: inputResponses(fuzz, asked as Record<string, unknown>), requestState };
  return isWritable(more) ? more : undefined;
}

/** A state can be nested too deeply to be written: a client cannot send it back, and leaves. */
function isWritable(value: object): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}
