/** The same call from every surface, seen in the same terms: the decision, its code and sentence, the outcome, the audit row. */
import { type CallObserver, createHost, type Host, isJunctorError, type Question, type ToolRef } from '@junctor/core';
import { denialText } from '@junctor/core/internal';
import { type Home, junctor, type RunningHub } from '@junctor/testkit';
import { expect } from 'vitest';
import { modernPost } from '../hub/modern-rpc.ts';
import { rest } from '../hub/rest-client.ts';
import { RawClient } from '../hub/rpc.ts';

/** What became of one call. */
export interface Observed {
  readonly verdict: string;
  readonly because: string;
  readonly outcome: string;
  readonly code: string | null;
  /** What the caller reads, without the evidence behind it; null where the call ran or nobody reads. */
  readonly sentence: string | null;
  /** Who the audit names; undefined where there is no audit. */
  readonly audit:
    | { readonly agent: string | null; readonly person: string | null; readonly surface: string }
    | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Answers a question about the call where the surface itself is asked. */
  readonly answer?: string | undefined;
  /** Happens while the first question is open, which is then answered with `always`; `because` of the next one is kept. */
  readonly onFirstQuestion?: (() => Promise<void>) | undefined;
  readonly asked?: string[] | undefined;
  /** A command that goes through a hub refuses it by its own config: the hub does not see the call. */
  readonly refusedHere?: boolean | undefined;
}

export interface Surface {
  readonly name: string;
  /** Whether a person answers in the inbox of the hub. */
  readonly asksInbox: boolean;
  call(ref: ToolRef, args: object, options?: CallOptions): Promise<Observed>;
  /** Resolves once a call of this tool has left, where no hub can say so. */
  reached?(ref: ToolRef): Promise<unknown>;
  /** Takes back what was granted for always. */
  revokeAll(): Promise<void>;
}

interface Told {
  readonly sentence: string | null;
}

/** A call through the hub, as its audit has it. */
export async function audited(hub: RunningHub, run: () => Promise<Told>): Promise<Observed> {
  const newest = async () => (await rest(hub, '/api/calls?limit=1')).body.calls[0];
  const before = (await newest())?.call_id;
  const { sentence } = await run();
  let row = await newest();
  await expect
    .poll(async () => {
      row = await newest();
      return row?.call_id;
    })
    .not.toBe(before);
  const { verdict, because, outcome, code, agent, person, surface } = row;
  return { verdict, because, outcome, code, sentence, audit: { agent, person, surface } };
}

export async function revokeAt(hub: RunningHub): Promise<void> {
  for (const { id } of (await rest(hub, '/api/grants')).body.grants)
    await rest(hub, `/api/grants/${id}`, { method: 'DELETE' });
}

/** The words before the code: what comes behind it is evidence. */
export function withoutCode(text: string): string {
  return text.replace(/ \([a-z_]+\).*$/s, '');
}

export function toldBy(message: { result?: unknown; error?: unknown } | undefined): Told {
  const { result, error } = (message ?? {}) as {
    result?: { isError?: boolean; content: { text: string }[] };
    error?: { message: string };
  };
  if (error) return { sentence: withoutCode(error.message) };
  if (result?.isError) return { sentence: withoutCode(result.content[0]?.text ?? '') };
  return { sentence: null };
}

export function librarySurface(host: Host): Surface {
  return {
    name: 'library',
    asksInbox: false,
    async revokeAll() {
      for (const { id } of await host.grants.list('table')) await host.grants.revoke(id);
    },
    async call(ref, args, { signal, answer, onFirstQuestion, asked = [] } = {}) {
      let [verdict, because, isSent] = ['', '', false];
      const observer: CallObserver = {
        judged(_call, decision) {
          ({ word: verdict, because } = decision);
        },
        sending() {
          isSent = true;
          return undefined;
        },
      };
      const ask = async ({ because: why }: Question) => {
        asked.push(why);
        const isFirst = onFirstQuestion && asked.length === 1;
        if (isFirst) await onFirstQuestion();
        return { scope: (isFirst ? 'always' : (answer ?? 'deny')) as 'once', by: 'over REST' };
      };
      try {
        const result = await host.call(ref, args, { signal, observer, ask, session: 'table' });
        const code = result.denied ? (result.code ?? null) : result.success ? null : 'tool_failed';
        const sentence = result.success ? null : withoutCode(result.error ?? '');
        return { verdict, because, outcome: isSent ? 'done' : 'not_sent', code, sentence, audit: undefined };
      } catch (error) {
        if (!isJunctorError(error)) throw error;
        const text = error.code === 'tool_locked' ? denialText(error) : error.message;
        const outcome = error.outcome ?? 'none';
        return { verdict, because, outcome, code: error.code, sentence: withoutCode(text), audit: undefined };
      }
    },
  };
}

/** A client of the older era: it cancels with a notification. */
export async function legacySurface(
  hub: RunningHub,
  path: (server: string) => string,
  token: string,
): Promise<Surface> {
  const as = { ...hub, token, fetch: (at: string, init: RequestInit = {}) => hub.fetch(at, { ...init, token }) };
  const clients = new Map<string, Promise<RawClient>>();
  const isAgent = path('x') === path('y');
  let id = 0;
  return {
    name: isAgent ? 'agent endpoint, legacy' : 'server endpoint, legacy',
    asksInbox: true,
    revokeAll: () => revokeAt(hub),
    async call({ server, tool }, args, { signal } = {}) {
      const at = path(server);
      const opening = clients.get(at) ?? RawClient.open(as as RunningHub, at);
      clients.set(at, opening);
      const client = await opening;
      const own = ++id;
      return audited(hub, async () => {
        const answering = client.call(own, isAgent ? `${server}_${tool}` : tool, args);
        signal?.addEventListener('abort', () => {
          void client.post({ method: 'notifications/cancelled', params: { requestId: own } });
        });
        return toldBy((await answering).at(-1));
      });
    },
  };
}

/** A client of the newer era: it cancels by hanging up. */
export function modernSurface(hub: RunningHub, path: (server: string) => string, token: string): Surface {
  const isAgent = path('x') === path('y');
  const as = { ...hub, token, fetch: (at: string, init: RequestInit = {}) => hub.fetch(at, { ...init, token }) };
  return {
    name: isAgent ? 'agent endpoint, modern' : 'server endpoint, modern',
    asksInbox: true,
    revokeAll: () => revokeAt(hub),
    call: ({ server, tool }, args, { signal } = {}) =>
      audited(hub, async () => {
        const params = { name: isAgent ? `${server}_${tool}` : tool, arguments: args };
        try {
          const response = await modernPost(as as RunningHub, path(server), { method: 'tools/call', params, signal });
          const text = await response.text();
          const lines = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => data as string);
          return toldBy(JSON.parse(lines.at(-1) ?? text));
        } catch (error) {
          if (!signal?.aborted) throw error;
          return { sentence: null };
        }
      }),
  };
}

export function restSurface(hub: RunningHub, token: string): Surface {
  return {
    name: 'REST',
    asksInbox: false,
    revokeAll: () => revokeAt(hub),
    call: ({ server, tool }, args, { signal } = {}) =>
      audited(hub, async () => {
        const body = JSON.stringify({ server, tool, arguments: args });
        const headers = { 'content-type': 'application/json' };
        try {
          const response = await hub.fetch('/api/calls', {
            method: 'POST',
            token,
            body,
            headers,
            ...(signal ? { signal } : {}),
          });
          const { result, error } = JSON.parse((await response.text()).trim().split('\n').at(-1) ?? '{}');
          if (error)
            return {
              sentence: withoutCode(error.why && error.code === 'tool_locked' ? denialText(error) : error.message),
            };
          return { sentence: result.success ? null : withoutCode(result.error) };
        } catch (error) {
          if (!signal?.aborted) throw error;
          return { sentence: null };
        }
      }),
  };
}

export async function tokenFor(home: Home, ...who: string[]): Promise<string> {
  return (await junctor(home, ['hub', 'token', ...who, '--data', home.data])).stdout.trim();
}

export async function openLibrary(path: string, data: string): Promise<Host> {
  return createHost({ path, isolated: true, data });
}
