/** What REST answers hold, as types: pages and programs in TypeScript read answers with them. Nothing here is code. */
import type { z } from 'zod/mini';
import type { ErrorAnswer as ErrorSchema } from './rest/failure.ts';
import type { Approval as ApprovalSchema, Answer as VerdictSchema } from './rest/routes/approvals.ts';
import type { CallEntry as CallSchema, Calls as CallsSchema, Running as RunningSchema } from './rest/routes/calls.ts';
import type { Instance as InstanceSchema } from './rest/routes/instances.ts';
import type { Invalid as InvalidSchema, ServerEntry as ServerSchema } from './rest/routes/servers.ts';
import type { Session as SessionSchema } from './rest/routes/sessions.ts';
import type { ToolStatistics as StatisticsSchema } from './rest/routes/stats.ts';
import type { ServerStatus as StatusSchema } from './rest/routes/status.ts';
import type { Tool as ToolSchema, Tools as ToolsSchema } from './rest/routes/tools.ts';

export type Approval = z.infer<typeof ApprovalSchema>;
export type ApprovalAnswer = z.infer<typeof VerdictSchema>;
export type Call = z.infer<typeof CallSchema>;
export type Calls = z.infer<typeof CallsSchema>;
export type ErrorAnswer = z.infer<typeof ErrorSchema>;
export type Instance = z.infer<typeof InstanceSchema>;
export type InvalidServer = z.infer<typeof InvalidSchema>;
export type RunningCall = z.infer<typeof RunningSchema>;
export type Server = z.infer<typeof ServerSchema>;
export type ServerStatus = z.infer<typeof StatusSchema>;
export type Session = z.infer<typeof SessionSchema>;
export type Statistics = z.infer<typeof StatisticsSchema>;
export type Tool = z.infer<typeof ToolSchema>;
export type Tools = z.infer<typeof ToolsSchema>;
