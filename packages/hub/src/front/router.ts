/** Which door a path leads to, and who may pass it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Host, isJunctorError } from '@junctor/core';
import { AgentRoom } from '../endpoint/agent-room.ts';
import { answerAtDoor, type Room, refuse } from '../endpoint/door.ts';
import { ServerRoom } from '../endpoint/server-room.ts';
import { Sessions } from '../endpoint/sessions.ts';
import type { Bearer, TokenBook } from '../store/token-book.ts';
import { AGENT_IDS } from './agent-ids.ts';
import { type GuardOptions, refusalOf } from './guard.ts';

export interface RouterOptions extends GuardOptions {
  readonly host: Host;
  readonly tokens: TokenBook;
}

interface Door {
  readonly path: string;
  readonly room: Room;
  /** The agent whose door it is; absent for a server's own door. */
  readonly agent?: string;
  /** The server behind it; absent for an agent's door. */
  readonly server?: string;
}

export class Router {
  readonly #options: RouterOptions;
  readonly #sessions = new Sessions();
  readonly #doors = new Map<string, Door>();

  constructor(options: RouterOptions) {
    this.#options = options;
  }

  /** Never throws: whatever goes wrong with one request is told to its client and to nobody else. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#route(request, response);
    } catch (error) {
      if (response.headersSent) response.destroy();
      else refuse(response, 502, isJunctorError(error) ? error.message : 'The request failed inside Junctor');
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refusalOf(request, this.#options);
    if (refusal) return refuse(response, 403, refusal);
    const path = (request.url ?? '/').split('?', 1)[0] as string;
    if (path === '/healthz') return plain(response, 200, 'ok\n');
    if (path === '/') return plain(response, 200, 'Junctor hub. Agents connect to /mcp/<agent>.\n');
    // Clients look here for a way to sign in. There is none to offer: a quick no keeps them from waiting.
    if (path.startsWith('/.well-known/'))
      return refuse(response, 404, 'This hub has no sign-in of its own: it takes a token');
    const bearer = this.#bearerOf(request);
    if (!bearer) {
      response.setHeader('www-authenticate', 'Bearer');
      const sent = request.headers.authorization !== undefined;
      const what = sent
        ? 'This hub does not know that token: make one with its own --data directory'
        : 'A token is needed';
      return refuse(response, 401, `${what}: junctor hub token prints one, sent as Authorization: Bearer …`);
    }
    const door = this.#doors.get(path) ?? this.#makeDoor(path, response);
    if (!door) return;
    if (bearer.kind === 'agent' && door.agent !== undefined && door.agent !== bearer.agent) {
      return refuse(response, 403, `This token belongs to agent '${bearer.agent}': its door is /mcp/${bearer.agent}`);
    }
    if (bearer.kind === 'agent' && door.server !== undefined && !this.#options.host.serves(bearer.agent, door.server)) {
      return refuse(response, 403, `Agent '${bearer.agent}' does not get the server '${door.server}'`);
    }
    await answerAtDoor(door.path, door.room, this.#sessions, request, response);
  }

  #bearerOf(request: IncomingMessage): Bearer | undefined {
    const header = request.headers.authorization;
    if (header === undefined || !/^bearer /i.test(header)) return undefined;
    return this.#options.tokens.bearerOf(header.slice('bearer '.length).trim());
  }

  #makeDoor(path: string, response: ServerResponse): Door | undefined {
    const { host } = this.#options;
    const agent = /^\/mcp\/([^/]+)$/.exec(path)?.[1]?.toLowerCase();
    const server = /^\/servers\/([^/]+)\/mcp$/.exec(path)?.[1];
    let door: Door | undefined;
    if (agent !== undefined && AGENT_IDS.has(agent)) door = { path, room: new AgentRoom(host, agent), agent };
    else if (server !== undefined && host.server(server)) door = { path, room: new ServerRoom(host, server), server };
    if (door) this.#doors.set(path, door);
    else if (agent !== undefined)
      refuse(response, 404, `Unknown agent '${agent}'. Known: ${[...AGENT_IDS].join(', ')}`);
    else if (server !== undefined)
      refuse(response, 404, `Unknown server '${server}'. Known: ${host.links.ids.join(', ')}`);
    else refuse(response, 404, 'Nothing is here. Agents connect to /mcp/<agent>, one server is at /servers/<id>/mcp');
    return door;
  }
}

function plain(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
}
