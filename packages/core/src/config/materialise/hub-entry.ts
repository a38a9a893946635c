/** The one entry that leads an agent to the hub. No secret stands in it: the token stays in a variable. */
import { agentId } from '../agent-id.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { McpServerDef } from '../server-schema.ts';
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

/** How `junctor connect` is started: by a program and its words. */
export interface ConnectCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** For an entry that stays. `data`: the data directory of the hub, where it is not the usual one. */
export function connectByNpx(agent: string, data: string | undefined): ConnectCommand {
  // `-y`: a question of npx would wait on the pipe that the protocol is spoken over.
  return { command: 'npx', args: ['-y', 'junctor', 'connect', agent, ...(data === undefined ? [] : ['--data', data])] };
}

/** An agent that cannot read variables gets a command, which finds the token itself. */
export function hubEntry(dialect: Dialect, hubUrl: string, connect: ConnectCommand): WantedServer {
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
