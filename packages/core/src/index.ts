/** @junctor/core: MCP in one import. Adding a name here is a promise to the people who use it. */

export {
  ERROR_CODES,
  type ErrorCode,
  type ErrorDetails,
  isJunctorError,
  JunctorError,
  type NextStep,
} from './base/error.ts';
export type { Log, LogLevel, LogTarget } from './base/log/log.ts';
export { Redactor } from './base/log/redact.ts';
export type { Clock } from './base/time/clock.ts';
export { VERSION } from './base/version.ts';
export type { CallOptions, ToolRef } from './calls/call.ts';
export { denialResult } from './calls/call.ts';
export type { CallEnd, CallObserver } from './calls/observer.ts';
export type { OwnDefinition } from './catalogue/builtin-tools/own-definition.ts';
export { SEARCH_TOOLS } from './catalogue/builtin-tools/search-tools.ts';
export type { Entry, OfferedTool, ToolDefinition, ToolFit } from './catalogue/entry.ts';
export type { FitReport } from './catalogue/fit-report.ts';
export type { PromptDefinition, ResourceDefinition, ResourceTemplateDefinition } from './catalogue/lists/list-kind.ts';
export type {
  Completion,
  CompletionRequest,
  MessageContent,
  Offered,
  PromptMessage,
  PromptMessages,
  ResourceContents,
  ResourcePart,
} from './catalogue/lists/other-lists-answers.ts';
export type { NamingStrategy } from './catalogue/naming/strategy.ts';
export { describeChange, type SchemaChange } from './catalogue/schema-fit/change.ts';
export type { SkippedTool, Snapshot } from './catalogue/snapshot.ts';
export type { NamingChoice, ToolView } from './catalogue/tool-views.ts';
export { quoteInstructions, type ServerInstructions } from './catalogue/untrusted/instructions.ts';
export type { LayerName, LoadedServer } from './config/layers.ts';
export { type LoadMcpConfigOptions, loadMcpConfig, type McpConfigLoadResult } from './config/load.ts';
export { parseMcpConfig } from './config/parse.ts';
export type { Problem } from './config/problem.ts';
export { describeRule } from './config/schema/rule-pattern.ts';
export type { McpConfig, PermissionRules } from './config/schema/schema.ts';
export type { McpServerDef } from './config/schema/server-schema.ts';
export type {
  ForeignConfig,
  McpConfigInput,
  McpServerInput,
  RemoteServerInput,
  StdioServerInput,
} from './config/schema/written-config.ts';
export { discoverMcpConfigPath, type Surroundings } from './config/sources/places.ts';
export type { DeviceInfo, Interaction, OwnPage } from './connections/auth/interaction.ts';
export type {
  AuthProvider,
  OwnTokens,
  TokensProvider,
  UnauthorizedContext,
} from './connections/auth/provider-credentials.ts';
export type { TokenEntry } from './connections/auth/tokens/token-entry.ts';
export type { TokenShelf } from './connections/auth/tokens/token-shelf.ts';
export type { Asker } from './connections/client-features/answers.ts';
export type {
  Elicit,
  Elicitation,
  ElicitationAnswer,
  FormElicitation,
  UrlElicitation,
} from './connections/client-features/elicitation.ts';
export type { Field, FieldOption } from './connections/client-features/form.ts';
export {
  type FieldValue,
  type FormContent,
  problemOfField,
  problemsOfForm,
} from './connections/client-features/form-content.ts';
export type { ServerLogLevel } from './connections/client-features/log-message.ts';
export type { Root, RootsSource } from './connections/client-features/roots.ts';
export type {
  Sample,
  SamplingContent,
  SamplingExtras,
  SamplingMessage,
  SamplingRequest,
  SamplingResult,
} from './connections/client-features/sampling.ts';
export type { SandboxState } from './connections/client-features/sandbox-state.ts';
export type { LinkState } from './connections/link.ts';
export type { DoctorOptions } from './diagnostics/doctor/examine-servers.ts';
export type { Finding, StepName } from './diagnostics/doctor/finding.ts';
export type { Orphan } from './diagnostics/doctor/orphans.ts';
export type { DoctorReport, ServerReport } from './diagnostics/doctor/report.ts';
export type { AnswerOptions } from './host/answering.ts';
export { type HostWatch, type HostWatchListener, watchHost } from './host/config/watch-host.ts';
export { createHost } from './host/create-host.ts';
export type { HostEvent } from './host/events.ts';
export { Host } from './host/host.ts';
export type { MissingToolView, ServerFailure } from './host/host-catalogue.ts';
export type { HostOptions } from './host/host-options.ts';
export type { CredentialOptions } from './host/host-wallet.ts';
export type { CatalogueOptions } from './host/lists/catalogue-options.ts';
export type { SnapshotWait } from './host/lists/offer.ts';
export type { LockInspection } from './host/lock.ts';
export type { ServerIcon, ServerInfo, ServerInfoOptions } from './host/server-info.ts';
export type { AuthStatus, SignedIn, SignInOptions } from './host/sign-in.ts';
export type { ToolStatistics } from './host/statistics.ts';
export type { ServerState, ServerStatus } from './host/status.ts';
export type { Answer, GrantScope, ScopedAnswer } from './permissions/answer.ts';
export type { ApprovalOutcome, Approvals, Ask, PendingApproval, Question } from './permissions/approvals.ts';
export type { AuthorizeDeps, AuthorizeOptions } from './permissions/authorize.ts';
export type { Caller, Person, Surface, TokenRef, ToolCall } from './permissions/caller.ts';
export type { Allowed, DecidedBy, Decision, Denied } from './permissions/decision.ts';
export type { Grant } from './permissions/grants/grant.ts';
export type { Grants } from './permissions/grants/grants.ts';
export type { GrantShelf } from './permissions/grants/grants-file.ts';
export { type Change, describeChanges } from './permissions/lockfile/changes.ts';
export { concerns, type LockChange, type LockTarget } from './permissions/lockfile/lock-changes.ts';
export type { Verdict } from './permissions/verdict.ts';
export type { ServerChanges } from './resolve/compare.ts';
export { type Notice, type Resolution, type ResolveInput, resolve } from './resolve/resolve.ts';
export type { ResolvedMcpServer } from './resolve/resolved-mcp-server.ts';
export type { ResolvedServer } from './resolve/roster.ts';
export { type ModelContentOptions, type ModelPart, modelContent, modelText } from './results/model-content.ts';
export type { Match } from './results/reading/find-text.ts';
export type { ResultQuery, ResultReading } from './results/reading/read-artifact.ts';
export { readingText } from './results/reading/reading-text.ts';
export type { ArtifactReference, ContentPart, ReferencePart, ToolResult } from './results/tool-result.ts';
export { approveLock, authStatus, examineServers, inspectLock, signIn, signInsOf, signOut } from './seldom.ts';
