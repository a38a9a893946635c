/** One server as it is: unprefixed and unaltered, but permission-checked. */
import { type Host, isJunctorError, type JunctorError } from '@junctor/core';
import { relay } from '../relay/relay.ts';
import { agreedVersion } from './agent-room.ts';
import type { Request, Room } from './door.ts';
import type { Reply } from './reply.ts';
import type { Flight } from './sessions.ts';

const SERVER_FAILED = -32000;

export class ServerRoom implements Room {
  readonly #host: Host;
  readonly #server: string;

  constructor(host: Host, server: string) {
    this.#host = host;
    this.#server = server;
  }

  async greet(params: Record<string, unknown>): Promise<object> {
    const { greeting } = await this.#host.links.ready(this.#server);
    const { capabilities, serverInfo, instructions } = greeting;
    return {
      protocolVersion: agreedVersion(params.protocolVersion),
      capabilities: relayed(capabilities),
      serverInfo,
      ...(instructions === undefined ? {} : { instructions }),
    };
  }

  async serve(request: Request, reply: Reply, flight: Flight): Promise<void> {
    if (request.method === 'tools/list' && this.#host.server(this.#server)?.filtered) {
      // A list that leaves tools out has to be made here; any other is the server's own.
      reply.result(JSON.stringify({ tools: await this.#host.collect(this.#server) }));
      return;
    }
    if (request.method === 'tools/call') {
      if (!this.#host.server(this.#server)?.offers(String(request.params.name))) {
        return reply.error(-32602, `Unknown tool: ${request.params.name}`);
      }
      const verdict = this.#host.judge(this.#server, String(request.params.name));
      if (verdict.effect !== 'allow') {
        const text = `The call of ${request.params.name} was not allowed: ${verdict.because}.`;
        return reply.result(JSON.stringify({ content: [{ type: 'text', text }], isError: true }));
      }
    }
    try {
      await relay({ links: this.#host.links, server: this.#server }, request, reply, flight, {
        onFailure: (to, error) => fail(to, error, text => this.#host.mask(text)),
      });
    } catch (error) {
      fail(reply, error, text => this.#host.mask(text));
    }
  }
}

/** What this door can carry. Notices that belong to no request have no way to the client yet, so they are not promised. */
function relayed(capabilities: Readonly<Record<string, unknown>>): Record<string, object> {
  const carried = ['tools', 'prompts', 'resources', 'completions'];
  return Object.fromEntries(carried.filter(name => capabilities[name] !== undefined).map(name => [name, {}]));
}

function fail(reply: Reply, error: unknown, mask: (text: string) => string): void {
  if (!isJunctorError(error)) return reply.error(-32603, 'The request failed inside Junctor.');
  const { message, code, why, hint } = error as JunctorError;
  reply.error(SERVER_FAILED, mask(message), { code, ...(why ? { why: mask(why) } : {}), ...(hint ? { hint } : {}) });
}
