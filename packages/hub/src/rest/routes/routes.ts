import type { Route } from '../route.ts';
import { AGENT_FILE } from './agent-file.ts';
import { AGENTS } from './agents.ts';
import { APPROVAL_PREVIEW } from './approval-preview.ts';
import { APPROVALS } from './approvals.ts';
import { AUDIT } from './audit.ts';
import { CALL_EXPORT } from './call-export.ts';
import { CALL_SUMMARY } from './call-summary.ts';
import { CALLS } from './calls.ts';
import { CHECK } from './check.ts';
import { EVENTS } from './events.ts';
import { EXECUTORS } from './executors.ts';
import { EXPLAIN } from './explain.ts';
import { FEASIBILITY } from './feasibility.ts';
import { GRANTS } from './grants.ts';
import { HEALTH } from './health.ts';
import { IMPORTS } from './imports.ts';
import { INSTANCES } from './instances.ts';
import { LAYERS } from './layers.ts';
import { LOCK } from './lock.ts';
import { LOGIN } from './login.ts';
import { MCP_CONFIG } from './mcp-config.ts';
import { openApiRoute } from './openapi.ts';
import { PROJECTS } from './projects.ts';
import { RECONNECT } from './reconnect.ts';
import { RESOLVE } from './resolve.ts';
import { RESTORE } from './restore.ts';
import { RUN_CALL } from './run-call.ts';
import { SECRETS } from './secrets.ts';
import { SERVERS } from './servers.ts';
import { SESSIONS } from './sessions.ts';
import { SETTINGS } from './settings.ts';
import { SIGN_IN } from './sign-in.ts';
import { STATS } from './stats.ts';
import { STATUS } from './status.ts';
import { SURFACE } from './surface.ts';
import { TOKENS } from './tokens.ts';
import { TOOL_LIST } from './tool-list.ts';
import { TOOLS } from './tools.ts';
import { TRAFFIC } from './traffic.ts';

/** Every path there is: what is not here is neither served nor described. */
export function allRoutes(): readonly Route[] {
  const described = [
    ...MCP_CONFIG,
    ...AGENTS,
    ...PROJECTS,
    ...AGENT_FILE,
    ...SURFACE,
    ...EXECUTORS,
    ...SERVERS,
    ...RESTORE,
    ...IMPORTS,
    ...RECONNECT,
    ...CHECK,
    ...TRAFFIC,
    ...SIGN_IN,
    ...STATUS,
    ...TOOLS,
    ...TOOL_LIST,
    ...LOCK,
    ...RESOLVE,
    ...FEASIBILITY,
    ...EXPLAIN,
    ...APPROVALS,
    ...APPROVAL_PREVIEW,
    ...GRANTS,
    ...CALLS,
    ...AUDIT,
    ...CALL_SUMMARY,
    ...CALL_EXPORT,
    ...RUN_CALL,
    ...STATS,
    ...SESSIONS,
    ...INSTANCES,
    ...LAYERS,
    ...SETTINGS,
    ...TOKENS,
    ...SECRETS,
    ...HEALTH,
    ...EVENTS,
    ...LOGIN,
  ];
  return [...described, openApiRoute(described)];
}
