import type { CommandSpec } from '../command.ts';
import { hubServe } from './hub/serve.ts';
import { hubToken } from './hub/token.ts';
import { mcpAdd } from './mcp/add.ts';
import { mcpCall } from './mcp/call.ts';
import { mcpList } from './mcp/list.ts';
import { mcpTools } from './mcp/tools.ts';
import { testServer } from './test-server.ts';

/** Every command, in the order help shows them. */
export const COMMANDS: readonly CommandSpec[] = [mcpAdd, mcpList, mcpTools, mcpCall, hubServe, hubToken, testServer];
