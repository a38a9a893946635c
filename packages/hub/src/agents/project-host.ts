/** How the host of a project differs from that of the hub itself: its folder, its files, and where its programs start. */
import { resolve } from 'node:path';
import type { HostOptions, ResolvedServer } from '@junctor/core';
import { ownSurroundings } from '@junctor/core/light';

/** The folder is that of the project: files above it belong to other projects. */
export function optionsIn<Options extends HostOptions>(folder: string, options: Options): Options {
  const surroundings = { ...(options.surroundings ?? ownSurroundings()), cwd: folder };
  const reroute = async (servers: ReadonlyMap<string, ResolvedServer>) =>
    new Map([...servers].map(([id, server]) => [id, startedIn(folder, server)]));
  return { ...options, surroundings, projectFiles: 'folder', reroute };
}

/** As its config writes it. A command that starts the same server in the same folder has this definition, too. */
export function writtenDefinition({ definition, endpoint }: ResolvedServer): string {
  const program = endpoint.transport === 'stdio' ? endpoint : endpoint.program;
  const end = startedThere(program?.cwd ?? '');
  return definition.endsWith(end) ? definition.slice(0, -end.length) : definition;
}

/**
 * A program whose config names no folder starts where the client works, not where the hub happens to run. One that all sessions
 * share cannot be in the folder of each: it stays the same server in every project.
 */
function startedIn(folder: string, server: ResolvedServer): ResolvedServer {
  const { endpoint, site, mode } = server;
  const program = endpoint.transport === 'stdio' ? endpoint : endpoint.program;
  // On another machine our folders mean nothing.
  if (!program || mode === 'shared' || (site && site.kind !== 'sandbox')) return server;
  const cwd = resolve(folder, program.cwd ?? '.');
  if (cwd === program.cwd) return server;
  // Equal connections are one server: started in another folder it is another one.
  const definition = `${server.definition}${startedThere(cwd)}`;
  const moved = { ...server, definition, connection: `${server.connection}${startedThere(cwd)}` };
  if (endpoint.transport === 'stdio') return { ...moved, endpoint: { ...endpoint, cwd } };
  return { ...moved, endpoint: { ...endpoint, program: { ...program, cwd } } };
}

function startedThere(folder: string): string {
  return ` started in ${folder}`;
}
