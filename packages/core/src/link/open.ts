import { isJunctorError, JunctorError } from '../base/error.ts';
import type { Log } from '../base/log.ts';
import { Scope } from '../base/scope.ts';
import type { ResolvedServer } from '../resolve/roster.ts';
import type { Channel } from './channel.ts';
import { Conversation, type Inbound, MethodNotFound } from './conversation.ts';
import { type ClientInfo, handshake } from './handshake.ts';
import { Link } from './link.ts';
import type { LaunchOptions } from './process/launch.ts';
import { openStdio } from './transports/stdio.ts';

export interface OpenOptions extends LaunchOptions {
  readonly client: ClientInfo;
  readonly log: Log;
  readonly onNotification: (method: string, params: unknown) => void;
  readonly onClosed: (error: JunctorError) => void;
}

/** Opens one server. On success the link owns the scope; on failure nothing is left running. */
export async function open(server: ResolvedServer, options: OpenOptions): Promise<Link> {
  const scope = new Scope();
  const { log } = options;
  let channel: Channel | undefined;
  try {
    channel = await openChannel(server, scope, options);
    const conversation = new Conversation(server.id, channel, inboundOf(server.id, options));
    const { client } = options;
    const greeting = await handshake(server.id, conversation, {
      client,
      timeouts: server.timeouts,
      signal: scope.signal,
    });
    channel.agreed?.(greeting.protocolVersion);
    conversation.notify('notifications/initialized');
    return new Link(server, greeting, conversation, scope);
  } catch (error) {
    await scope.close().catch(leak => log.warn('could not close cleanly', { server: server.id, leak }));
    throw asStartFailure(server, channel, error); // the first failure is the one people need
  }
}

async function openChannel(server: ResolvedServer, scope: Scope, options: OpenOptions): Promise<Channel> {
  const { endpoint } = server;
  if (endpoint.transport === 'stdio') return openStdio(server, endpoint, scope, options);
  if (endpoint.transport === 'http' && !endpoint.program) {
    // Loading node:http takes longer than starting a small server: whoever has none of these never pays for it.
    const { openHttp } = await import('./transports/http.ts');
    return openHttp(server, endpoint, scope);
  }
  const what = endpoint.program ? 'started over HTTP' : `reached over ${endpoint.transport}`;
  throw new JunctorError(
    'transport_unsupported',
    `Server '${server.id}' has to be ${what}, which Junctor cannot do yet.`,
    {
      server: server.id,
      hint: 'use transport stdio, or http without a command',
    },
  );
}

/** What a server asks of us. It was offered no capability, so there is little it may ask. */
function inboundOf(server: string, { log, onNotification, onClosed }: OpenOptions): Inbound {
  return {
    onRequest(method) {
      if (method === 'ping') return {};
      throw new MethodNotFound(`Junctor does not serve ${method}`);
    },
    onNotification,
    onNoise: text => log.debug('not a JSON-RPC message', { server, text }),
    onClosed,
  };
}

/** A server that ends, or stays silent, while it is greeted failed to start; the same later is a lost connection. */
function asStartFailure(server: ResolvedServer, channel: Channel | undefined, error: unknown): unknown {
  const { id } = server;
  if (isJunctorError(error, 'timeout')) {
    const words = channel?.lastWords?.();
    return new JunctorError('timeout', `Server '${id}' did not start within ${server.timeouts.connectMs} ms.`, {
      server: id,
      why: words ? `its last lines on stderr:\n${words}` : 'it did not answer initialize',
      hint: `raise connect_timeout_ms of server '${id}', or start its command by hand to see what it waits for`,
      cause: error,
    });
  }
  if (!isJunctorError(error, 'connection_lost')) return error;
  return new JunctorError('connection_failed', error.message.replace(/\.$/, ' while it was starting.'), {
    server: id,
    ...(error.why === undefined ? {} : { why: error.why }),
    hint: 'start its command by hand to see what is wrong',
    cause: error,
  });
}
