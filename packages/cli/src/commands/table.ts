import type { CommandSpec } from '../command.ts';
import { completionCommand } from './completion.ts';
import { explain } from './explain.ts';
import { hubServe } from './hub/serve.ts';
import { hubToken } from './hub/token.ts';
import { mcpAdd } from './mcp/add.ts';
import { mcpCall } from './mcp/call.ts';
import { mcpExport } from './mcp/export.ts';
import { mcpGet } from './mcp/get.ts';
import { mcpImport } from './mcp/import.ts';
import { mcpList } from './mcp/list.ts';
import { mcpRemove } from './mcp/remove.ts';
import { mcpDisable, mcpEnable } from './mcp/switch.ts';
import { mcpTools } from './mcp/tools.ts';
import { secretList } from './secret/list.ts';
import { secretRemove } from './secret/remove.ts';
import { secretSet } from './secret/set.ts';
import { testServer } from './test-server.ts';
import { trust, trustAdd, trustList, trustRemove } from './trust/trust.ts';
import { validate } from './validate.ts';

/** Every command, in the order help shows them. */
export const COMMANDS: readonly CommandSpec[] = [
  mcpAdd,
  mcpList,
  mcpGet,
  mcpRemove,
  mcpEnable,
  mcpDisable,
  mcpTools,
  mcpCall,
  mcpImport,
  mcpExport,
  validate,
  explain,
  trust,
  trustList,
  trustAdd,
  trustRemove,
  secretSet,
  secretList,
  secretRemove,
  hubServe,
  hubToken,
  testServer,
  completionCommand(() => COMMANDS),
];
