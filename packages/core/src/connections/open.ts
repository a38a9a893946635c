import { isJunctorError, JunctorError, type NextStep } from '../base/error.ts';
import type { Log } from '../base/log/log.ts';
import { Scope } from '../base/scope.ts';
import type { Memory } from '../catalogue/lists/memory.ts';
import type { ResolvedServer } from '../resolve/roster.ts';
import { isHere } from '../resolve/site.ts';
import type { Wallet } from './auth/tokens/wallet.ts';
import type { Answers } from './client-features/answers.ts';
import { Link } from './link.ts';
import type { Pace } from './pace.ts';
import type { LaunchOptions } from './process/launch.ts';
import type { EraName } from './protocol/envelope.ts';
import type { ClientInfo } from './protocol/handshake.ts';
import { type EraPlan, negotiate } from './protocol/negotiate.ts';
import { modernSpeech } from './protocol/speech.ts';
import type { Channel } from './rpc/channel.ts';
import { Conversation, type Inbound } from './rpc/conversation.ts';
import type { Onlooker } from './rpc/onlooker.ts';
import { seeMore } from './rpc/see-more.ts';
import { traced, traceHttp, traceStart } from './rpc/trace.ts';
import type { Slots } from './slots.ts';
import type { SpawnTurns } from './spawn-turns.ts';
import { openStdio } from './transports/stdio.ts';

export interface OpenOptions extends LaunchOptions {
  readonly client: ClientInfo;
  readonly log: Log;
  readonly answers: Answers;
  readonly memory: Memory;
  /** The era that is preferred with a server that speaks both. */
  readonly era: EraName;
  readonly pace: Pace;
  /** When processes of this machine may be started. */
  readonly spawns: SpawnTurns;
  /** Whether it counts as starting already, until it is open. */
  readonly hasSlot?: boolean;
  /** Signing in, for servers where that is possible. */
  readonly wallet: Wallet;
  /** Gives the opening up, and ends whatever it started. */
  readonly signal: AbortSignal;
  /** It has been started, and will take a moment to answer. */
  readonly onLaunched?: () => void;
  readonly onNotification: (method: string, params: unknown, during?: number) => void;
  /** Sees all that is said, from the greeting on. */
  readonly onlooker?: Onlooker | undefined;
  readonly onRetired: () => void;
  readonly onClosed: (error: JunctorError) => void;
}

/**
 * Opens one server. On success the link owns the scope; on failure nothing is left running. A server that answers like one
 * from before Streamable HTTP is tried the older way.
 */
export async function open(server: ResolvedServer, options: OpenOptions): Promise<Link> {
  // Of a process only its start counts where the config does not say otherwise; a remote server counts until it has answered.
  const isProcess = server.endpoint.transport === 'stdio';
  if (isProcess && options.pace.numbers.slotUntil === 'spawned') return openEitherWay(server, options);
  return slotsFor(server, options).run(() => openEitherWay(server, { ...options, hasSlot: true }), options.signal);
}

/** Elsewhere a place may have to be made first: what begins on this machine does not wait behind it. */
function slotsFor({ endpoint, site }: ResolvedServer, { pace }: OpenOptions): Slots {
  return endpoint.transport === 'stdio' && isHere(site) ? pace.slots.local : pace.slots.remote;
}

async function openEitherWay(server: ResolvedServer, options: OpenOptions): Promise<Link> {
  // What is remembered of the server is looked up once it starts: nothing waits for that, and others start meanwhile.
  let plan: EraPlan | undefined;
  const planned = (): EraPlan => (plan ??= planFor(server, options));
  try {
    return await openAs(server, planned, options);
  } catch (error) {
    const older = asOlderServer(server, error);
    if (!older || options.signal.aborted) throw error;
    options.log.info('trying the older HTTP+SSE transport', { server: server.id });
    // What the first way failed with is what people need: the second was only a guess. It was a good one where the server
    // is there and wants to know who asks.
    return openOnce(older, () => 'legacy', options).catch(second => {
      throw wantsCredentials(second) ? second : error;
    });
  }
}

/**
 * Some old servers end at a question they do not know. They are started once more, and greeted the old way; also where a
 * newer version was there before.
 */
async function openAs(server: ResolvedServer, planned: () => EraPlan, options: OpenOptions): Promise<Link> {
  try {
    return await openOnce(server, planned, options);
  } catch (error) {
    const endedWhenAsked = isJunctorError(error, 'connection_failed') && isJunctorError(error.cause, 'connection_lost');
    if (!endedWhenAsked || !ASKS_FIRST.has(planned()) || options.signal.aborted) throw error;
    options.log.info('ended at a question of MCP 2026-07-28; starting it again for an older version', {
      server: server.id,
    });
    const link = await openOnce(server, () => 'legacy', options).catch(second => {
      // It lives this time, and knows only the newer way: what ended it was something else, and may be over by now.
      throw isJunctorError(second, 'server_error') ? error : second;
    });
    // Only now is it known that the question was to blame, and not a bad day.
    void options.memory.remember(server, { era: { era: 'legacy', at: Date.now() } });
    return link;
  }
}

/** The plans that begin with a question of the newer era, and may go on in the older one. */
const ASKS_FIRST = new Set<EraPlan>(['probe', 'modern']);

async function openOnce(server: ResolvedServer, planned: () => EraPlan, options: OpenOptions): Promise<Link> {
  const scope = new Scope();
  const { log, client, signal, answers } = options;
  let channel: Channel | undefined;
  try {
    channel = await openLine(server, scope, options);
    const conversation = new Conversation(server.id, channel, inboundOf(server.id, options));
    if (options.onlooker) conversation.watch(options.onlooker);
    const { capabilities, logLevel } = answers;
    const sender = { client, capabilities, logLevel };
    const plan = planned();
    const greeted = negotiate(server.id, conversation, plan, { ...sender, timeouts: server.timeouts, signal });
    options.onLaunched?.();
    const greeting = await greeted;
    // Nobody knew, or it is no longer what it was.
    if (plan === 'probe' || !plan.startsWith(greeting.era))
      void options.memory.remember(server, { era: { era: greeting.era, at: Date.now() } });
    channel.agreed?.(greeting.protocolVersion);
    const link = new Link(server, greeting, conversation, { scope, answers });
    if (greeting.era === 'modern') {
      conversation.speak(modernSpeech(server, { ...sender, version: greeting.protocolVersion }, link));
      link.listen(missed => {
        for (const method of missed) options.onNotification(method, {});
      });
    } else {
      conversation.notify('notifications/initialized');
      channel.greeted?.();
    }
    return link;
  } catch (error) {
    await scope.close().catch(leak => log.warn('could not close cleanly', { server: server.id, leak }));
    throw asStartFailure(server, channel, error); // the first failure is the one people need
  }
}

/** How long an old server is greeted the old way first: it may have been updated since. */
const LEGACY_VERDICT_MS = 24 * 60 * 60_000;

function planFor(server: ResolvedServer, { memory, era: preferred }: OpenOptions): EraPlan {
  if (server.endpoint.transport === 'sse' || server.protocol === 'legacy') return 'legacy';
  if (server.protocol === 'modern') return 'modern-only';
  if (preferred === 'legacy') return 'legacy-first';
  const { era } = memory.recall(server);
  if (era?.era === 'modern') return 'modern';
  // A verdict of the future, from before a clock was put back, would count for years.
  return era?.era === 'legacy' && Math.abs(Date.now() - era.at) < LEGACY_VERDICT_MS ? 'legacy-first' : 'probe';
}

/** A channel to a server, before anything is said. What is said then is logged where somebody wants that. */
export async function openLine(server: ResolvedServer, scope: Scope, options: OpenOptions): Promise<Channel> {
  const { log } = options;
  if (!server.debug && !log.verbose) return openChannel(server, scope, options);
  traceStart(server, log.loudest);
  return traced(await openChannel(server, scope, options), server.id, log.loudest);
}

/** Loading a transport takes longer than starting a small server: whoever does not use one never pays for it. */
async function openChannel(server: ResolvedServer, scope: Scope, options: OpenOptions): Promise<Channel> {
  const { endpoint } = server;
  if (endpoint.transport === 'stdio') {
    const start = async (): Promise<Channel> => {
      await options.spawns.next();
      return openStdio(server, endpoint, scope, options);
    };
    return options.hasSlot ? start() : slotsFor(server, options).run(start, options.signal);
  }
  if (endpoint.program) {
    const { openStarted } = await import('./process/started-server.ts');
    const placed = { endpoint, program: endpoint.program };
    return openStarted(server, placed, scope, options, started => openChannel(started, scope, options));
  }
  if (server.site) {
    const { openReached } = await import('./executors/reached-server.ts');
    const placed = { endpoint, site: server.site };
    return openReached(server, placed, scope, options, reached => openChannel(reached, scope, options));
  }
  const { signal, pace, wallet, log, environment } = options;
  const { keepAliveMs } = pace.numbers;
  const watch = server.debug || log.verbose ? traceHttp(server.id, log.loudest) : undefined;
  const context = { scope, signal, keepAliveMs, credentials: wallet.for(server), watch, environment };
  if (endpoint.transport === 'http')
    return (await import('./transports/http/http.ts')).openHttp(server, endpoint, context);
  if (endpoint.transport === 'sse')
    return (await import('./transports/http/sse.ts')).openSse(server, endpoint, context);
  return (await import('./transports/ws.ts')).openWs(server, endpoint, context);
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

function wantsCredentials(error: unknown): boolean {
  if (!isJunctorError(error)) return false;
  return error.code === 'auth_required' || (error.cause as { status?: unknown } | undefined)?.status === 401;
}

function inboundOf(server: string, { log, answers, onNotification, onRetired, onClosed }: OpenOptions): Inbound {
  return {
    onRequest: (method, params, signal, during) => answers.answer(method, params, { server, signal, during }),
    onNotification,
    onNoise: text => log.debug('not a JSON-RPC message', { server, text }),
    onRetired,
    onClosed,
  };
}

/** A server that ends, or stays silent, while it is greeted failed to start; the same later is a lost connection. */
function asStartFailure(server: ResolvedServer, channel: Channel | undefined, error: unknown): unknown {
  const { id } = server;
  const waitsFor = isStarted(server)
    ? 'start its command by hand to see what it waits for'
    : 'check that its url is that of an MCP server';
  // Whoever waited for the channel itself knows better what was missing.
  if (channel && isJunctorError(error, 'timeout')) {
    return new JunctorError('timeout', `Server '${id}' did not start within ${server.timeouts.connectMs} ms.`, {
      server: id,
      why: channel.lastWords?.() ?? 'it did not answer initialize',
      hint: `raise connect_timeout_ms of server '${id}', or ${waitsFor}`,
      cause: error,
    });
  }
  if (!isJunctorError(error, 'connection_lost')) return error;
  return new JunctorError('connection_failed', error.message.replace(/\.$/, ' while it was starting.'), {
    server: id,
    ...(error.why === undefined ? {} : { why: error.why }),
    ...(isStarted(server) ? { hint: hintFrom(id, error.why ?? '') } : checkUrl(id)),
    cause: error,
  });
}

/** Many programs say on stderr which variable they miss. */
function hintFrom(server: string, words: string): string {
  const [, before, after] =
    /\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b[^\n]{0,40}?\b(?:(?:is|was|are) (?:not set|missing|required|undefined|empty|not defined)|not set|must be set|required)\b|\b(?:missing|set|provide|requires?|need)\b[^\n]{0,40}?\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b/i.exec(
      words,
    ) ?? [];
  const variable = before ?? after;
  if (variable !== undefined && variable === variable.toUpperCase())
    return `set ${variable} in env of server '${server}'`;
  return 'start its command by hand to see what is wrong';
}

function checkUrl(server: string): NextStep {
  const { hint, command } = seeMore(server);
  return { hint: `check its url, and ${hint}`, command: `check its url, and ${command}` };
}

/** Whether there is a command that somebody could start by hand. */
function isStarted({ endpoint }: ResolvedServer): boolean {
  return endpoint.transport === 'stdio' || endpoint.program !== undefined;
}
