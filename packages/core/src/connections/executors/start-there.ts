/** Starts the program of a server over there, by a program here that runs it; and opens the way to what runs there already. */
import { isJunctorError, type JunctorError } from '../../base/error.ts';
import type { Scope } from '../../base/scope.ts';
import type { ResolvedServer } from '../../resolve/roster.ts';
import type { Site } from '../../resolve/site.ts';
import { environmentFor } from '../process/environment.ts';
import { type LaunchOptions, launch } from '../process/launch.ts';
import { type Ended, type Executor, executorAt, type StartHere, unavailable } from './executor.ts';
import { LastWill } from './last-will.ts';
import type { Start, Started, StartOptions } from './start.ts';

export async function startThere(
  server: ResolvedServer,
  site: Site,
  what: Start,
  scope: Scope,
  options: StartOptions,
): Promise<Started> {
  const launched = { ...what, server: server.id };
  const executor = await executorAt(site);
  const { environment, secluded = [] } = options;
  const { connectMs } = server.timeouts;
  const { program, port } = what;
  const here = await executor.place({ server: server.id, program, port, environment, connectMs, secluded });
  if (here.undo) {
    const will = new LastWill(here.undo, environmentFor(environment, here.undo.env));
    // Before the program is started, so that it comes last.
    scope.defer(() => will.execute());
  }
  const child = await withTool(site, launched.server, here.program.command, async () => {
    await prepared(site, server, here, options.signal);
    return launch({ ...launched, program: here.program, inputs: here.inputs }, scope, options);
  });
  if (here.opening !== undefined) child.stdin.write(here.opening);
  return { child, address: here.address, diagnose: ended => diagnosis(site, executor, server.id, ended) };
}

/** Runs what holds the way to a service over there open. */
export async function startWay(
  server: ResolvedServer,
  site: Site,
  url: string,
  scope: Scope,
  options: LaunchOptions,
): Promise<{ readonly address: string; readonly started: Started | undefined } | undefined> {
  const executor = await executorAt(site);
  const way = await executor.reach?.(url, options.environment);
  if (!way?.program) return way && { address: way.address, started: undefined };
  const { program, address } = way;
  const what = { server: server.id, program, readsStdin: false };
  const child = await withTool(site, server.id, program.command, () => launch(what, scope, options));
  return { address, started: { child, address, diagnose: ended => diagnosis(site, executor, server.id, ended) } };
}

/** A program that is missing here is missing for the executor, not for the server. */
async function withTool<Value>(site: Site, server: string, command: string, run: () => Promise<Value>): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    if (!isJunctorError(error, 'command_not_found')) throw error;
    const why = `it starts servers by the program '${command}', which is not on PATH here`;
    const hint = `install ${command} on this machine, or choose another executor`;
    throw unavailable(site, server, { why, hint });
  }
}

async function prepared(
  site: Site,
  server: ResolvedServer,
  { prepare }: StartHere,
  signal: AbortSignal,
): Promise<void> {
  const { connectMs } = server.timeouts;
  const patience = AbortSignal.timeout(connectMs);
  try {
    await prepare?.(AbortSignal.any([signal, patience]));
  } catch (error) {
    signal.throwIfAborted();
    if (!patience.aborted) throw error;
    const hint = `see what keeps it there, or raise connect_timeout_ms of server '${server.id}'`;
    throw unavailable(site, server.id, { why: `its place was not ready within ${connectMs} ms`, hint });
  }
}

function diagnosis(site: Site, executor: Executor, server: string, ended: Ended): JunctorError | undefined {
  const found = executor.diagnose(ended);
  return found && unavailable(site, server, found);
}
