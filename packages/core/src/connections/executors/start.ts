/** Starts the program of a server where it belongs: on this machine, or where its executor says. */
import type { JunctorError } from '../../base/error.ts';
import type { Scope } from '../../base/scope.ts';
import type { ResolvedServer } from '../../resolve/roster.ts';
import { type Launch, type LaunchOptions, launch, type ServerProcess } from '../process/launch.ts';
import type { Ended } from './executor.ts';

export interface Started {
  readonly child: ServerProcess;
  /** `host:port` at which it is reached, where that is not the port it was told. */
  readonly address: string | undefined;
  /** What the place has to say about an end before the first answer. */
  readonly diagnose: (ended: Ended) => JunctorError | undefined;
}

export interface StartOptions extends LaunchOptions {
  /** Gives the start up. */
  readonly signal: AbortSignal;
}

/** `port`: where it will listen. */
export type Start = Omit<Launch, 'server'> & { readonly port?: number | undefined };

/** The scope ends it, here and over there. */
export async function startProgram(
  server: ResolvedServer,
  what: Start,
  scope: Scope,
  options: StartOptions,
): Promise<Started> {
  // Most servers run here: what leads elsewhere is loaded for the others only.
  if (server.site) return (await import('./start-there.ts')).startThere(server, server.site, what, scope, options);
  const child = await launch({ ...what, server: server.id }, scope, options);
  return { child, address: undefined, diagnose: () => undefined };
}
