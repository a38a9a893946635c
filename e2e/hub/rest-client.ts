/** REST as a person's program uses it. */
import type { RunningHub } from '@junctor/testkit';

/** One of its own process, or one in that of the test. */
export type AnyHub = Pick<RunningHub, 'url' | 'token' | 'fetch'>;

export interface RestAnswer {
  readonly status: number;
  readonly etag: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever comes back
  readonly body: any;
}

export async function rest(
  hub: AnyHub,
  path: string,
  { method = 'GET', body, headers = {} }: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<RestAnswer> {
  const answer = await hub.fetch(path, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, etag: answer.headers.get('etag'), body: text === '' ? undefined : JSON.parse(text) };
}

export const post = (hub: AnyHub, agent: string, body: unknown, headers: Record<string, string> = {}) =>
  rest(hub, `/api/mcp-config?agent=${agent}`, { method: 'POST', body, headers });

export const configOf = (hub: AnyHub, agent: string) => rest(hub, `/api/mcp-config?agent=${agent}`);

/** The same server as a config file has it, in the words of an agent's config. */
export function asPosted<Definition extends { readonly transport: string }>(definition: Definition): object {
  const { transport, ...more } = definition;
  return { type: transport, ...more };
}
