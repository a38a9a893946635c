/** What REST answers hold, as types: pages and programs in TypeScript read answers with them. Nothing here is code. */
import type { z } from 'zod/mini';
import type { ErrorAnswer as ErrorSchema } from './rest/failure.ts';
import type { AgentFileState as AgentFileSchema } from './rest/routes/agent-file.ts';
import type { AgentRow as AgentSchema } from './rest/routes/agents.ts';
import type { ApprovalPreview as PreviewSchema } from './rest/routes/approval-preview.ts';
import type { Approval as ApprovalSchema, Answer as VerdictSchema } from './rest/routes/approvals.ts';
import type { CallSummary as CallSummarySchema } from './rest/routes/call-summary.ts';
import type { CallEntry as CallSchema, Calls as CallsSchema, Running as RunningSchema } from './rest/routes/calls.ts';
import type { CheckStep as CheckStepSchema } from './rest/routes/check.ts';
import type { ExecutorRow as ExecutorSchema } from './rest/routes/executors.ts';
import type {
  Preflight as PreflightSchema,
  ServerExplanation as ServerExplanationSchema,
  ToolExplanation as ToolExplanationSchema,
} from './rest/routes/explain.ts';
import type {
  AgentFeasibility as AgentFeasibilitySchema,
  Feasibility as FeasibilitySchema,
} from './rest/routes/feasibility.ts';
import type { GrantEntry as GrantSchema } from './rest/routes/grants.ts';
import type { Health as HealthSchema } from './rest/routes/health.ts';
import type { Imported as ImportedSchema, ImportPreview as ImportPreviewSchema } from './rest/routes/imports.ts';
import type { Instance as InstanceSchema } from './rest/routes/instances.ts';
import type { ConfigLayer as LayerSchema } from './rest/routes/layers.ts';
import type { Lock as LockSchema } from './rest/routes/lock.ts';
import type { HubCommandWords as CommandWordsSchema } from './rest/routes/login.ts';
import type { ProjectList as ProjectsSchema } from './rest/routes/projects.ts';
import type { Resolved as ResolvedSchema } from './rest/routes/resolve.ts';
import type { Secret as SecretSchema } from './rest/routes/secrets.ts';
import type {
  Invalid as InvalidSchema,
  Removed as RemovedSchema,
  ServerEntry as ServerSchema,
  Written as WrittenSchema,
} from './rest/routes/servers.ts';
import type { Session as SessionSchema } from './rest/routes/sessions.ts';
import type { Setting as SettingSchema } from './rest/routes/settings.ts';
import type { SignInPage as SignInPageSchema } from './rest/routes/sign-in.ts';
import type { ToolStatistics as StatisticsSchema } from './rest/routes/stats.ts';
import type { ServerStatus as StatusSchema } from './rest/routes/status.ts';
import type { Token as TokenSchema } from './rest/routes/tokens.ts';
import type {
  ShortTool as ShortToolSchema,
  ToolDetail as ToolDetailSchema,
  ToolList as ToolListSchema,
} from './rest/routes/tool-list.ts';
import type { Tool as ToolSchema } from './rest/routes/tools.ts';
import type { SeenTraffic as SeenTrafficSchema } from './rest/routes/traffic.ts';
import type { AgentMcpConfig as AgentConfigSchema } from './rest/shapes/agent-config.ts';

export type Agent = z.infer<typeof AgentSchema>;
export type AgentConfig = z.infer<typeof AgentConfigSchema>;
export type AgentFeasibility = z.infer<typeof AgentFeasibilitySchema>;
export type AgentFile = z.infer<typeof AgentFileSchema>;
export type Approval = z.infer<typeof ApprovalSchema>;
export type ApprovalPreview = z.infer<typeof PreviewSchema>;
export type ApprovalAnswer = z.infer<typeof VerdictSchema>;
export type Call = z.infer<typeof CallSchema>;
export type CallSummary = z.infer<typeof CallSummarySchema>;
export type Calls = z.infer<typeof CallsSchema>;
export type CheckStep = z.infer<typeof CheckStepSchema>;
export type ErrorAnswer = z.infer<typeof ErrorSchema>;
export type Executor = z.infer<typeof ExecutorSchema>;
export type Health = z.infer<typeof HealthSchema>;
export type Feasibility = z.infer<typeof FeasibilitySchema>;
export type Imported = z.infer<typeof ImportedSchema>;
export type ImportPreview = z.infer<typeof ImportPreviewSchema>;
export type Instance = z.infer<typeof InstanceSchema>;
export type InvalidServer = z.infer<typeof InvalidSchema>;
export type CommandWords = z.infer<typeof CommandWordsSchema>;
export type ConfigLayer = z.infer<typeof LayerSchema>;
export type RemovedServer = z.infer<typeof RemovedSchema>;
export type Grant = z.infer<typeof GrantSchema>;
export type Lock = z.infer<typeof LockSchema>;
export type Preflight = z.infer<typeof PreflightSchema>;
export type Projects = z.infer<typeof ProjectsSchema>;
export type Resolved = z.infer<typeof ResolvedSchema>;
export type RunningCall = z.infer<typeof RunningSchema>;
export type Secret = z.infer<typeof SecretSchema>;
export type SeenTraffic = z.infer<typeof SeenTrafficSchema>;
export type Server = z.infer<typeof ServerSchema>;
export type ServerExplanation = z.infer<typeof ServerExplanationSchema>;
export type ServerStatus = z.infer<typeof StatusSchema>;
export type Session = z.infer<typeof SessionSchema>;
export type Setting = z.infer<typeof SettingSchema>;
export type SignInPage = z.infer<typeof SignInPageSchema>;
export type Statistics = z.infer<typeof StatisticsSchema>;
export type Token = z.infer<typeof TokenSchema>;
export type Tool = z.infer<typeof ToolSchema>;
export type ShortTool = z.infer<typeof ShortToolSchema>;
export type ToolDetail = z.infer<typeof ToolDetailSchema>;
export type ToolList = z.infer<typeof ToolListSchema>;
export type ToolExplanation = z.infer<typeof ToolExplanationSchema>;
export type WrittenServer = z.infer<typeof WrittenSchema>;
