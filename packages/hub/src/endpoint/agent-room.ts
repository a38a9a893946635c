/** Everything one agent may use, behind one door: the tools of all its servers, named, and judged before each call. */
import { type Host, isJunctorError, type JunctorError, type Snapshot, VERSION } from '@junctor/core';
import { LATEST_PROTOCOL_VERSION, PROTOCOL_VERSIONS } from '@junctor/core/inside';
import { relay } from '../relay/relay.ts';
import type { Request, Room } from './door.ts';
import type { Reply } from './reply.ts';
import type { Flight } from './sessions.ts';

const INVALID_PARAMS = -32602;
const METHOD_NOT_FOUND = -32601;

/** A list waits this long for servers that are still starting; a slow one must not make a client give up on all. */
const LIST_PATIENCE_MS = 5000;

export class AgentRoom implements Room {
  readonly #host: Host;
  readonly #agent: string;
  /** The list as bytes, made once per snapshot. */
  #list: { readonly snapshot: Snapshot; readonly bytes: Buffer } | undefined;

  constructor(host: Host, agent: string) {
    this.#host = host;
    this.#agent = agent;
  }

  async greet(params: Record<string, unknown>): Promise<object> {
    return {
      protocolVersion: agreedVersion(params.protocolVersion),
      capabilities: { tools: {} },
      serverInfo: { name: 'junctor', version: VERSION },
    };
  }

  async serve(request: Request, reply: Reply, flight: Flight): Promise<void> {
    if (request.method === 'tools/call') return this.#call(request, reply, flight);
    if (request.method === 'tools/list') reply.result(await this.#toolList());
    else reply.error(METHOD_NOT_FOUND, `This door does not serve ${request.method}`);
  }

  async #call(request: Request, reply: Reply, flight: Flight): Promise<void> {
    const name = String(request.params.name);
    const known = this.#list?.snapshot.byName.get(name);
    const entry = known ?? (await this.#host.snapshot({ patienceMs: LIST_PATIENCE_MS })).byName.get(name);
    // The list may be older than the config: what is left out since is not called either.
    if (!entry || !this.#host.server(entry.server)?.offers(entry.tool))
      return reply.error(INVALID_PARAMS, `Unknown tool: ${name}`);
    if (!this.#host.serves(this.#agent, entry.server)) return reply.error(INVALID_PARAMS, `Unknown tool: ${name}`);
    const verdict = this.#host.judge(entry.server, entry.tool);
    if (verdict.effect !== 'allow') return toolError(reply, notAllowed(name, verdict));
    try {
      const renamed = { method: request.method, params: { ...request.params, name: entry.tool } };
      const upstream = { links: this.#host.links, server: entry.server };
      await relay(upstream, renamed, reply, flight, {
        onFailure: (to, error) => toolError(to, this.#host.mask(describe(error))),
      });
    } catch (error) {
      toolError(reply, this.#host.mask(describe(error)));
    }
  }

  async #toolList(): Promise<Buffer> {
    const snapshot = await this.#host.snapshot({ patienceMs: LIST_PATIENCE_MS });
    if (this.#list?.snapshot !== snapshot) {
      const offered = snapshot.entries.filter(({ server }) => this.#host.serves(this.#agent, server));
      const tools = offered.map(entry => ({ ...entry.definition, name: entry.name }));
      this.#list = { snapshot, bytes: Buffer.from(JSON.stringify({ tools })) };
    }
    return this.#list.bytes;
  }
}

/** The client's version where we speak it, else our newest. */
export function agreedVersion(asked: unknown): string {
  return (PROTOCOL_VERSIONS as readonly unknown[]).includes(asked) ? String(asked) : LATEST_PROTOCOL_VERSION;
}

/** A call that failed on the way is told as a tool error: the model reads it and can go on. */
function toolError(reply: Reply, text: string): void {
  reply.result(JSON.stringify({ content: [{ type: 'text', text }], isError: true }));
}

function notAllowed(name: string, verdict: { effect: string; because: string }): string {
  if (verdict.effect === 'deny') return `The call of ${name} was denied: ${verdict.because}.`;
  return `The call of ${name} needs a person's approval: ${verdict.because}. Allow it in permissions, or trust its server.`;
}

function describe(error: unknown): string {
  if (!isJunctorError(error)) return 'The call failed inside Junctor.';
  const { message, why, code } = error as JunctorError;
  return why ? `${message} (${code}) ${why}` : `${message} (${code})`;
}
