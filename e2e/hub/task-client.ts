/** A client that knows tasks, in either era: the same words for what each era writes in its own way. */
import type { RunningHub } from '@junctor/testkit';
import { type ModernRequest, modernAnswer } from './modern-rpc.ts';
import { RawClient } from './rpc.ts';
import type { Era } from './sdk-peer.ts';

const EXTENSION = 'io.modelcontextprotocol/tasks';

export interface TaskState {
  readonly taskId: string;
  readonly status: string;
  readonly [key: string]: unknown;
}

export interface Answered {
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface TaskClient {
  readonly era: Era;
  request(method: string, params: Record<string, unknown>): Promise<Answered>;
  /** Calls a tool so that it may run as a task. */
  call(name: string, args: object): Promise<Answered>;
  /** Calls it as a client does that knows no tasks. */
  callPlainly(name: string, args: object): Promise<Answered>;
  list(): Promise<readonly TaskState[] | undefined>;
  /** Says goodbye, where its era has a way to. */
  end(): Promise<void>;
}

export type TaskHub = Pick<RunningHub, 'fetch'>;

/** The hub for a client that shows this token. */
export function withToken(hub: RunningHub, token: string | undefined): TaskHub {
  return token === undefined ? hub : { ...hub, fetch: (path, init = {}) => hub.fetch(path, { ...init, token }) };
}

/** `capabilities`: what else it can do. */
export async function taskClient(
  hub: TaskHub,
  path: string,
  era: Era,
  { name = 'tasks', capabilities = {} }: { readonly name?: string; readonly capabilities?: object } = {},
): Promise<TaskClient> {
  return era === 'legacy' ? legacyClient(hub, path, name, capabilities) : modernClient(hub, path, name, capabilities);
}

async function legacyClient(hub: TaskHub, path: string, name: string, capabilities: object): Promise<TaskClient> {
  const raw = await RawClient.open(hub, path, { name, version: '1' }, capabilities);
  let id = 0;
  const request = async (method: string, params: object): Promise<Answered> =>
    ((await raw.messages({ id: ++id, method, params })).at(-1) ?? {}) as Answered;
  return {
    era: 'legacy',
    request,
    call: (tool, args) => request('tools/call', { name: tool, arguments: args, task: { ttl: 60_000 } }),
    callPlainly: (tool, args) => request('tools/call', { name: tool, arguments: args }),
    list: async () => (await request('tasks/list', {})).result?.tasks as readonly TaskState[],
    end: async () => void (await hub.fetch(path, { method: 'DELETE', headers: { 'mcp-session-id': raw.session } })),
  };
}

function modernClient(hub: TaskHub, path: string, name: string, capabilities: object): TaskClient {
  const meta = { 'io.modelcontextprotocol/clientInfo': { name, version: '1' } };
  const knowing = { ...capabilities, extensions: { [EXTENSION]: {} } };
  const send = (request: ModernRequest): Promise<Answered> =>
    modernAnswer(hub as RunningHub, path, { meta, ...request });
  const request = (method: string, params: Record<string, unknown>): Promise<Answered> =>
    send({ method, params, capabilities: knowing });
  return {
    era: 'modern',
    request,
    call: (tool, args) => request('tools/call', { name: tool, arguments: args }),
    callPlainly: (tool, args) => send({ method: 'tools/call', params: { name: tool, arguments: args }, capabilities }),
    list: async () => undefined,
    end: async () => {},
  };
}

/** The task that a call was answered with. */
export function ticketOf(era: Era, { result, error }: Answered): TaskState {
  const ticket = era === 'legacy' ? result?.task : result?.resultType === 'task' ? result : undefined;
  if (!ticket) throw new Error(`no ticket: ${JSON.stringify(result ?? error)}`);
  return ticket as TaskState;
}

/** What the call came to, once it is over. */
export async function outcomeOf(client: TaskClient, taskId: string): Promise<Answered> {
  if (client.era === 'legacy') return client.request('tasks/result', { taskId });
  for (;;) {
    const { result, error } = await client.request('tasks/get', { taskId });
    if (error) return { error };
    const { status, result: inner, error: failed } = result as unknown as TaskState;
    if (status === 'failed') return { error: failed as NonNullable<Answered['error']> };
    if (status !== 'working' && status !== 'input_required') return { result: inner as Record<string, unknown> };
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

export function textOf({ result }: Answered): string | undefined {
  return (result?.content as { text?: string }[] | undefined)?.[0]?.text;
}
