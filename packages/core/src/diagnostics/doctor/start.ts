/** Whether the program of a server was started, and whether anybody answered a greeting. */
import type { JunctorError } from '../../base/error.ts';
import { maskDefinition } from '../../config/masking/masking.ts';
import type { McpServerDef } from '../../config/schema/server-schema.ts';
import type { ResolvedServer } from '../../resolve/roster.ts';
import { type Finding, failed } from './finding.ts';
import type { Look } from './look.ts';

export interface StartDetails {
  /** As it is written, for the command that a person may try. */
  readonly definition: McpServerDef;
  /** How long its greeting is waited for by everybody but the doctor. */
  readonly usualMs: number;
}

export function examineStart(server: ResolvedServer, look: Look, details: StartDetails): Finding[] {
  const starts = server.endpoint.transport === 'stdio' || server.endpoint.program !== undefined;
  if (!look.ok && neverRan(look.error)) return [failed('spawned', look.error)];
  return [...(starts ? [spawned(look)] : []), greeted(server, look, details)];
}

function spawned(look: Look): Finding {
  if (!look.ok) return { step: 'spawned', outcome: 'ok', detail: 'it was started', facts: { pids: [] } };
  const { pids, lastWords } = look;
  return {
    step: 'spawned',
    outcome: 'ok',
    detail: pids.length === 0 ? 'it was started' : `pid ${pids.join(', ')}`,
    lines: lastWords?.split('\n') ?? ['it wrote nothing to stderr'],
    facts: { pids },
  };
}

function greeted(server: ResolvedServer, look: Look, details: StartDetails): Finding {
  const { ms } = look;
  if (!look.ok) {
    const { fix, ...told } = failed('greeted', look.error, { ms });
    const better = fixFor(server, look.error, details) ?? fix;
    return better === undefined ? told : { ...told, fix: better };
  }
  const { serverInfo, protocolVersion } = look.greeting;
  const detail = `${serverInfo.name} ${serverInfo.version}, MCP ${protocolVersion}`;
  const facts = { server: serverInfo, version: protocolVersion, transport: look.transport };
  if (look.transport === server.endpoint.transport) return { step: 'greeted', outcome: 'ok', detail, ms, facts };
  return {
    step: 'greeted',
    outcome: 'warn',
    detail: `${detail}, over the older ${look.transport.toUpperCase()} transport`,
    ms,
    fix: `save a request at each start: set "transport": "${look.transport}" on server '${server.id}'`,
    facts,
  };
}

/** The doctor is less patient than others, and knows the command. */
function fixFor(server: ResolvedServer, error: JunctorError, details: StartDetails): string | undefined {
  if (error.code === 'timeout' && server.timeouts.connectMs < details.usualMs) {
    return `if it is only slow to start: junctor doctor ${server.id} --timeout ${details.usualMs}`;
  }
  const status = (error.cause as { status?: unknown } | undefined)?.status;
  // What the program itself says it misses is the better advice.
  if (error.code === 'connection_failed' && error.hint?.startsWith('set ')) return error.hint;
  // One that answered with a status runs: starting it by hand would show nothing else.
  const command = error.code === 'connection_failed' && status === undefined && commandLine(details.definition);
  return command ? `start its command by hand to see what is wrong: ${command}` : undefined;
}

const SHOWN_CHARACTERS = 160;

function commandLine(definition: McpServerDef): string | undefined {
  const { command, args = [] } = maskDefinition(definition);
  if (command === undefined) return undefined;
  const line = [command, ...args]
    .map(word => (/^[\w@%+=:,./${}-]+$/.test(word) ? word : JSON.stringify(word)))
    .join(' ');
  return line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line;
}

function neverRan({ code, cause }: JunctorError): boolean {
  const syscall = (cause as NodeJS.ErrnoException | undefined)?.syscall;
  return (
    code === 'command_not_found' ||
    code === 'folder_not_found' ||
    code === 'executor_unavailable' ||
    code === 'port_in_use' ||
    syscall?.startsWith('spawn') === true
  );
}
