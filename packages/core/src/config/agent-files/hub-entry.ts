/** The one entry that leads an agent to the hub. No secret stands in it: the token stays in a variable. */
import { agentId } from '../agent-id.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { McpServerDef } from '../schema/server-schema.ts';
import type { WantedServer } from './plan-write.ts';

/** The key of that entry in every agent's file; names offered to a client count it. */
export const HUB_KEY = 'junctor';

/** Understood for every agent, as files of earlier versions name it. Two agents in one environment would share it. */
export const ANY_TOKEN_VARIABLE = 'JUNCTOR_TOKEN';

/** The variable that holds the token of one agent, as `JUNCTOR_TOKEN_CLAUDE_CODE`. */
export function tokenVariable(agent: string): string {
  return `${ANY_TOKEN_VARIABLE}_${agentId(agent)
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '_')}`;
}

/** Where a hub listens unless it is told otherwise. */
export const USUAL_HUB_URL = 'http://127.0.0.1:7717';

/** A program and the arguments it is started with. */
export interface ProgramCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * Junctor by its name, for a machine or a program that this one cannot see into. Never through `npx -y`: that would run
 * whatever package is published under the name.
 */
export const JUNCTOR_BY_NAME: ProgramCommand = { command: 'junctor', args: [] };

/**
 * `junctor connect` for an entry that stays. `program` starts Junctor from any folder and with any PATH, as a client may
 * have another one. `data`: the absolute data directory of the hub, where it is not the usual one.
 */
export function connectCommand(program: ProgramCommand, agent: string, data: string | undefined): ProgramCommand {
  const words = ['connect', agent, ...(data === undefined ? [] : ['--data', data])];
  return { command: program.command, args: [...program.args, ...words] };
}

/** Whether a program with these arguments is `junctor connect`, however Junctor is started. */
export function isConnectCommand({
  command,
  args = [],
}: {
  command: string;
  args?: readonly string[] | undefined;
}): boolean {
  const words = [command, ...args];
  return words.some((word, index) => /(^|[/\\])junctor(\.[a-z]+)?$/.test(word) && words[index + 1] === 'connect');
}

/** An agent that cannot read variables gets a command, which finds the token itself. */
export function hubEntry(dialect: Dialect, hubUrl: string, connect: ProgramCommand): WantedServer {
  const overHttp: McpServerDef = {
    transport: 'http',
    url: `${hubUrl.replace(/\/$/, '')}/mcp/${dialect.name}`,
    headers: { Authorization: `Bearer \${${tokenVariable(dialect.name)}}` },
    // The hub is no authorization server: an agent that looks for one would only lose time.
    oauth: false,
  };
  const possible = dialect.write?.({}, [{ id: HUB_KEY, definition: overHttp }]).leftOut.length === 0;
  return { id: HUB_KEY, definition: possible ? overHttp : { transport: 'stdio', ...connect, args: [...connect.args] } };
}
