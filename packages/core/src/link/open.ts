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
  /** Gives the opening up, and ends whatever it started. */
  readonly signal: AbortSignal;
  readonly onNotification: (method: string, params: unknown) => void;
  readonly onRetired: () => void;
  readonly onClosed: (error: JunctorError) => void;
}

/**
 * Opens one server. On success the link owns the scope; on failure nothing is left running. A server that answers like one
 * from before Streamable HTTP is tried the older way.
 */
export async function open(server: ResolvedServer, options: OpenOptions): Promise<Link> {
  try {
    return await openOnce(server, options);
  } catch (error) {
    const older = asOlderServer(server, error);
    if (!older || options.signal.aborted) throw error;
    options.log.info('trying the older HTTP+SSE transport', { server: server.id });
    // What the first way failed with is what people need: the second was only a guess.
    return openOnce(older, options).catch(() => Promise.reject(error));
  }
}

async function openOnce(server: ResolvedServer, options: OpenOptions): Promise<Link> {
  const scope = new Scope();
  const { log } = options;
  let channel: Channel | undefined;
  try {
    channel = await openChannel(server, scope, options);
    const conversation = new Conversation(server.id, channel, inboundOf(server.id, options));
    const { client, signal } = options;
    const greeting = await handshake(server.id, conversation, { client, timeouts: server.timeouts, signal });
    channel.agreed?.(greeting.protocolVersion);
    conversation.notify('notifications/initialized');
    channel.greeted?.();
    return new Link(server, greeting, conversation, scope);
  } catch (error) {
    await scope.close().catch(leak => log.warn('could not close cleanly', { server: server.id, leak }));
    throw asStartFailure(server, channel, error); // the first failure is the one people need
  }
}

/** Loading a transport takes longer than starting a small server: whoever does not use one never pays for it. */
async function openChannel(server: ResolvedServer, scope: Scope, options: OpenOptions): Promise<Channel> {
  const { endpoint } = server;
  if (endpoint.transport === 'stdio') return openStdio(server, endpoint, scope, options);
  if (endpoint.program) {
    throw new JunctorError('transport_unsupported', `Junctor cannot start the HTTP server '${server.id}' itself yet.`, {
      server: server.id,
      hint: 'start it yourself, and leave out command',
    });
  }
  if (endpoint.transport === 'http') return (await import('./transports/http.ts')).openHttp(server, endpoint, scope);
  if (endpoint.transport === 'sse')
    return (await import('./transports/sse.ts')).openSse(server, endpoint, scope, options.signal);
  return (await import('./transports/ws.ts')).openWs(server, endpoint, scope, options.signal);
}

/** How servers of the older transport answer a POST they did not expect. */
const OLDER_STATUSES = new Set([400, 404, 405]);

function asOlderServer(server: ResolvedServer, error: unknown): ResolvedServer | undefined {
  const { endpoint } = server;
  if (endpoint.transport !== 'http' || !(error instanceof Error)) return undefined;
  const status = (error.cause as { status?: unknown } | undefined)?.status;
  if (!OLDER_STATUSES.has(status as number)) return undefined;
  return { ...server, endpoint: { ...endpoint, transport: 'sse' } };
}

/** What a server asks of us. It was offered no capability, so there is little it may ask. */
function inboundOf(server: string, { log, onNotification, onRetired, onClosed }: OpenOptions): Inbound {
  return {
    onRequest(method) {
      if (method === 'ping') return {};
      throw new MethodNotFound(`Junctor does not serve ${method}`);
    },
    onNotification,
    onNoise: text => log.debug('not a JSON-RPC message', { server, text }),
    onRetired,
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
