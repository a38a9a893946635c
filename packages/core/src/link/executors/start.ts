/** Starts the program of a server where it belongs: on this machine, or by a program here that runs it over there. */
import { isJunctorError, type JunctorError } from '../../base/error.ts';
import type { Scope } from '../../base/scope.ts';
import type { ResolvedServer } from '../../resolve/roster.ts';
import type { Site } from '../../resolve/site.ts';
import { environmentFor } from '../process/environment.ts';
import { type Launch, type LaunchOptions, launch, type ServerProcess } from '../process/launch.ts';
import { type Ended, type Executor, executorAt, unavailable } from './executor.ts';
import { LastWill } from './last-will.ts';

export interface Started {
  readonly child: ServerProcess;
  /** `host:port` at which it is reached, where that is not the port it was told. */
  readonly address: string | undefined;
  /** What the place has to say about an end before the first answer. */
  readonly diagnose: (ended: Ended) => JunctorError | undefined;
}

/** `port`: where it will listen. The scope ends it, here and over there. */
export async function startProgram(
  server: ResolvedServer,
  what: Omit<Launch, 'server'> & { readonly port?: number | undefined },
  scope: Scope,
  options: LaunchOptions,
): Promise<Started> {
  const { site } = server;
  const launched = { ...what, server: server.id };
  if (!site) return { child: await launch(launched, scope, options), address: undefined, diagnose: () => undefined };
  const executor = await executorAt(site);
  const { environment } = options;
  const there = { server: server.id, program: what.program, environment, connectMs: server.timeouts.connectMs };
  const here = await executor.place({ ...there, port: what.port });
  if (here.undo) {
    const will = new LastWill(here.undo, environmentFor(environment, here.undo.env));
    // Before the program is started, so that it comes last.
    scope.defer(() => will.execute());
  }
  const child = await launchHere(site, { ...launched, program: here.program }, scope, options);
  if (here.opening !== undefined) child.stdin.write(here.opening);
  return { child, address: here.address, diagnose: ended => diagnosis(site, executor, server.id, ended) };
}

/** A program that is missing here is missing for the executor, not for the server. */
async function launchHere(site: Site, what: Launch, scope: Scope, options: LaunchOptions): Promise<ServerProcess> {
  try {
    return await launch(what, scope, options);
  } catch (error) {
    if (!isJunctorError(error, 'command_not_found')) throw error;
    const { command } = what.program;
    const why = `it starts servers by the program '${command}', which is not on PATH here`;
    throw unavailable(site, what.server, {
      why,
      hint: `install ${command} on this machine, or choose another executor`,
    });
  }
}

function diagnosis(site: Site, executor: Executor, server: string, ended: Ended): JunctorError | undefined {
  const found = executor.diagnose(ended);
  return found && unavailable(site, server, found);
}
