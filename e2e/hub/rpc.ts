/** A client that sends exactly what a test wants sent. */
import type { RunningHub } from '@junctor/testkit';
import { settledBehind } from './settled.ts';

/** A client that has every feature: the process that lists a server's tools was told of them all, and can be its own. */
export const EVERY_FEATURE = { roots: { listChanged: true }, sampling: {}, elicitation: { form: {}, url: {} } };

export class RawClient {
  readonly #hub: Pick<RunningHub, 'fetch'>;
  readonly #path: string;
  readonly session: string;

  private constructor(hub: Pick<RunningHub, 'fetch'>, path: string, session: string) {
    this.#hub = hub;
    this.#path = path;
    this.session = session;
  }

  /** The first client of a hub, to which the processes belong that list tools. */
  static openFirst(hub: Parameters<typeof RawClient.open>[0], path: string): Promise<RawClient> {
    return RawClient.open(hub, path, { name: 'raw', version: '1' }, EVERY_FEATURE);
  }

  static async open(
    hub: Pick<RunningHub, 'fetch'>,
    path: string,
    clientInfo = { name: 'raw', version: '1' },
    capabilities: object = {},
  ): Promise<RawClient> {
    await settledBehind(hub, path);
    const params = { protocolVersion: '2025-11-25', capabilities, clientInfo };
    const opened = await post(hub, path, { jsonrpc: '2.0', id: 'hello', method: 'initialize', params });
    if (!opened.ok) throw new Error(`HTTP ${opened.status}: ${await opened.text()}`);
    return new RawClient(hub, path, opened.headers.get('mcp-session-id') ?? '');
  }

  /** The same session, at another address. */
  at(hub: Pick<RunningHub, 'fetch'>): RawClient {
    return new RawClient(hub, this.#path, this.session);
  }

  post(message: object, signal?: AbortSignal): Promise<Response> {
    return post(this.#hub, this.#path, { jsonrpc: '2.0', ...message }, { 'mcp-session-id': this.session }, signal);
  }

  /** Every message of the response, whether it came as a document or as a stream. */
  async messages(
    message: object,
  ): Promise<{ id?: unknown; method?: string; params?: object; result?: object; error?: object }[]> {
    const response = await this.post(message);
    const text = await response.text();
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return [JSON.parse(text)];
    return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data as string));
  }

  call(id: unknown, name: string, args: object, meta?: object): Promise<Awaited<ReturnType<RawClient['messages']>>> {
    const params = { name, arguments: args, ...(meta ? { _meta: meta } : {}) };
    return this.messages({ id, method: 'tools/call', params });
  }
}

function post(
  hub: Pick<RunningHub, 'fetch'>,
  path: string,
  message: object,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> {
  return hub.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify(message),
    ...(signal ? { signal } : {}),
  });
}
