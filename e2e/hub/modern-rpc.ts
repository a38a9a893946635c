/** A client of 2026-07-28 that sends exactly what a test wants sent. */
import type { RunningHub } from '@junctor/testkit';

export const VERSION = '2026-07-28';
const PREFIX = 'io.modelcontextprotocol/';

export interface ModernRequest {
  readonly method: string;
  readonly params?: Record<string, unknown>;
  readonly capabilities?: object | undefined;
  readonly headers?: Record<string, string | undefined>;
  readonly meta?: Record<string, unknown>;
  readonly token?: string;
  readonly signal?: AbortSignal | undefined;
}

export async function modernPost(hub: RunningHub, path: string, request: ModernRequest): Promise<Response> {
  const { method, params = {}, capabilities = {}, meta = {}, token, signal } = request;
  const name = params.name ?? params.uri ?? params.taskId;
  const headers = Object.entries({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': VERSION,
    'mcp-method': method,
    ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    ...request.headers,
  }).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const _meta = {
    [`${PREFIX}protocolVersion`]: VERSION,
    [`${PREFIX}clientCapabilities`]: capabilities,
    [`${PREFIX}clientInfo`]: { name: 'raw', version: '1' },
    ...meta,
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } });
  return hub.fetch(path, {
    method: 'POST',
    headers: Object.fromEntries(headers),
    body,
    ...(token ? { token } : {}),
    ...(signal ? { signal } : {}),
  });
}

interface Answer {
  readonly status: number;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** The status, and the answer, whether it came as a document or as a stream. */
export async function modernAnswer(hub: RunningHub, path: string, request: ModernRequest): Promise<Answer> {
  const response = await modernPost(hub, path, request);
  const text = await response.text();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  const last = isStream ? ([...text.matchAll(/^data: (.+)$/gm)].at(-1)?.[1] ?? '{}') : text;
  return { status: response.status, ...(JSON.parse(last) as object) };
}
