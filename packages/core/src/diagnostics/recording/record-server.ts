/** Records a server: speaks MCP for it with one client, and writes down what both say. */

import type { JunctorError } from '../../base/error.ts';
import { Scope } from '../../base/scope.ts';
import { withDeadline } from '../../base/time/deadline.ts';
import { leftOutByConfig, notListed } from '../../calls/no-such-tool.ts';
import { TOOLS } from '../../catalogue/lists/list-kind.ts';
import { type ListSource, readList } from '../../catalogue/lists/lists.ts';
import { timedOut } from '../../connections/rpc/failures.ts';
import type { Host } from '../../host/host.ts';
import type { AuthorizeDeps } from '../../permissions/authorize.ts';
import type { Caller, ToolRef } from '../../permissions/caller.ts';
import type { Decision, Denied } from '../../permissions/decision.ts';
import { RecordingWriter } from './recording.ts';
import { RecordingLine } from './recording-line.ts';
import { type RpcLines, readRpcLines } from './rpc-lines.ts';

export interface RecordOptions extends RpcLines {
  readonly file: string;
}

export interface Recorded {
  readonly messages: number;
  /** Why the server ended before the client did. */
  readonly lost: JunctorError | undefined;
}

/** Ends when the client does, or when the server is gone. */
export async function recordServer(host: Host, server: string, { file, ...lines }: RecordOptions): Promise<Recorded> {
  const writer = await RecordingWriter.open(file, { server, mask: text => host.mask(text) });
  let lost: JunctorError | undefined;
  try {
    await using scope = new Scope();
    const over = new AbortController();
    let isOver = false;
    const channel = await host.links.line(server, scope);
    const refusals = new Refusals(host, server);
    const line = new RecordingLine(channel, {
      server,
      note: (from, message) => writer.note(from, message),
      refusal: (call, source) => refusals.of(call, source),
      onTools: names => refusals.learn(names),
      onToolsChanged: () => refusals.forget(),
      onClosed(error) {
        // Once the client has left, the server ends because we end it.
        if (!isOver) lost = error;
        over.abort();
      },
    });
    const signal = AbortSignal.any([lines.signal, over.signal]);
    await readRpcLines({ ...lines, signal }, (message, say) => line.hear(message, say));
    isOver = true;
  } finally {
    await writer.close();
  }
  return { messages: writer.messages, lost };
}

const RECORDING: Caller = { surface: 'recording' };
/** For a server that the config no longer has. */
const DEFAULT_LIST_MS = 60_000;

/** The client asks its own person; what the config or a lockfile forbids, and what the server does not list, is forbidden here too. */
class Refusals {
  readonly #host: Host;
  readonly #server: string;
  /** Names of tools that the server listed on this line. */
  #listed = new Set<string>();

  constructor(host: Host, server: string) {
    this.#host = host;
    this.#server = server;
  }

  learn(names: readonly string[]): void {
    for (const name of names) this.#listed.add(name);
  }

  forget(): void {
    this.#listed.clear();
  }

  of(
    { tool, args }: { readonly tool: string; readonly args: unknown },
    source: ListSource,
  ): JunctorError | undefined | Promise<JunctorError | undefined> {
    const ref = { server: this.#server, tool };
    const special: Partial<AuthorizeDeps> = {
      absent: () => this.#absent(ref, source),
      judge: ({ arguments: given }) => {
        const verdict = this.#host.judge(ref.server, ref.tool, given);
        return verdict.effect === 'ask' ? { effect: 'allow', because: 'the client asks its own person' } : verdict;
      },
    };
    const told = (decision: Decision): JunctorError | undefined =>
      decision.effect === 'deny' ? decision.error : undefined;
    const decision = this.#host.authorize({ ref, arguments: args, caller: RECORDING }, {}, special);
    return decision instanceof Promise ? decision.then(told) : told(decision);
  }

  #absent(ref: ToolRef, source: ListSource): ReturnType<NonNullable<AuthorizeDeps['absent']>> {
    if (!this.#host.server(ref.server)?.offers(ref.tool)) return leftOutByConfig(ref);
    return this.#listed.has(ref.tool) ? undefined : this.#readList(ref, source);
  }

  /** Asks the recorded server itself: the lists of another process of it may differ. */
  async #readList(ref: ToolRef, source: ListSource): Promise<Denied | undefined> {
    const ms = this.#host.server(ref.server)?.timeouts.requestMs ?? DEFAULT_LIST_MS;
    const error = (): JunctorError => timedOut(ref.server, TOOLS.method, { idleMs: ms, totalMs: ms }, ms);
    const { items } = await withDeadline(readList(source, TOOLS), { ms, error });
    this.#listed = new Set(items.map(({ name }) => name));
    return this.#listed.has(ref.tool) ? undefined : notListed(ref, [...this.#listed]);
  }
}
