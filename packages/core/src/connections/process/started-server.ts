/** A server behind a URL whose program Junctor starts: it is waited for, talked to at its URL, and ended with the link. */
import { JunctorError } from '../../base/error.ts';
import type { Scope } from '../../base/scope.ts';
import type { ResolvedServer } from '../../resolve/roster.ts';
import { isHere } from '../../resolve/site.ts';
import { type StartOptions as PlaceOptions, startProgram } from '../executors/start.ts';
import type { Pace } from '../pace.ts';
import type { Channel } from '../rpc/channel.ts';
import { at, portOf, untilListening } from './address.ts';
import { ENDING_MS } from './launch.ts';
import { type PlacedServer, withPort } from './port.ts';
import { accompany, StartedProgram } from './started-program.ts';

export interface StartOptions extends PlaceOptions {
  readonly pace: Pace;
}

/** Starts the program and opens the transport to it. The scope ends both, the transport first. */
export async function openStarted(
  server: ResolvedServer,
  written: PlacedServer,
  scope: Scope,
  options: StartOptions,
  openChannel: (started: ResolvedServer) => Promise<Channel>,
): Promise<Channel> {
  const { endpoint: told, program } = await withPort(written);
  // Over there nobody knows from here who listens.
  const here = isHere(server.site);
  if (here) await unoccupied(server.id, told.url, options.signal);
  const what = { program, readsStdin: false, port: portOf(told.url) };
  const start = () => startProgram(server, what, scope, options);
  // Whoever begins elsewhere has a slot of those already.
  const running = await (here ? options.pace.slots.local.run(start, options.signal) : start());
  const endpoint = running.address === undefined ? told : { ...told, url: at(running.address, told.url) };
  const started = new StartedProgram(server.id, running);
  await answering(server, endpoint.url, started, options.signal);
  try {
    return accompany(
      await openChannel({ ...server, site: undefined, endpoint: { ...endpoint, program: undefined } }),
      started,
    );
  } catch (error) {
    throw await started.explain(error);
  }
}

/**
 * Whoever answers there already is not the program that was named: it would get our headers. An earlier start of our own
 * may still be ending, so it is given that long.
 */
async function unoccupied(server: string, url: string, signal: AbortSignal): Promise<void> {
  if (await untilListening(url, false, { ms: ENDING_MS, signal })) return;
  signal.throwIfAborted();
  const { host } = new URL(url);
  throw new JunctorError('port_in_use', `Server '${server}' cannot be started: another program listens at ${host}.`, {
    server,
    why: 'Junctor starts this server itself, and somebody was there before',
    hint: 'end that program; or write ${PORT} for the port, and a free one is chosen; or leave out command to use what runs there',
  });
}

export async function answering(
  server: ResolvedServer,
  url: string,
  program: StartedProgram,
  signal: AbortSignal,
): Promise<void> {
  const { connectMs } = server.timeouts;
  const given = AbortSignal.any([signal, program.ended]);
  const behindForwarder = server.site !== undefined;
  if (await untilListening(url, true, { ms: connectMs, signal: given, behindForwarder })) return;
  signal.throwIfAborted();
  const { origin } = new URL(url);
  if (program.ended.aborted) throw program.diedBeforeAnswering(origin);
  throw new JunctorError('timeout', `The program of server '${server.id}' runs, but nothing answers at ${origin}.`, {
    server: server.id,
    why: `it was waited for ${connectMs} ms; ${program.lastWords()}`,
    hint: `check that it listens on the port of its url, or raise connect_timeout_ms of server '${server.id}'`,
  });
}
