/** What the hub shares with the library and nobody else should rely on. */

export { sentenceOf } from './base/error.ts';
export {
  PRIVATE_DIRECTORY,
  PRIVATE_FILE,
  unwritable,
  writeFileAtomic,
  writePrivateFile,
} from './base/files/atomic-file.ts';
export { isAlive, withFileLock } from './base/files/file-lock.ts';
export { type Living, stillLives, thisProcess } from './base/files/living.ts';
export { canonicalJson } from './base/json/canonical-json.ts';
export {
  isRawNumber,
  parseExactly,
  parseKeepingDigits,
  type RawNumber,
  withPlainNumbers,
} from './base/json/exact-json.ts';
export { isObject } from './base/json/is-object.ts';
export { isShownWhole, maskArguments } from './base/log/mask-arguments.ts';
export { MASK } from './base/log/redact.ts';
export { isLoopback, LOOPBACK_NAMES } from './base/network/loopback.ts';
export { http } from './base/network/node-http.ts';
export { Passing } from './base/passing.ts';
export { RPC_CODE } from './base/rpc-code.ts';
export { Scope } from './base/scope.ts';
export { argumentLines } from './base/text/argument-lines.ts';
export { compileGlob } from './base/text/glob.ts';
export { visibleText } from './base/text/visible-text.ts';
export { type Clock, systemClock } from './base/time/clock.ts';
export { orAborted, waitAtMost } from './base/time/deadline.ts';
export { toolKey } from './base/tool-key.ts';
export { classMs, quantile } from './calls/durations.ts';
export { type Heartbeat, Heartbeats } from './calls/heartbeat.ts';
export { isInvalidArguments } from './calls/invalid-arguments.ts';
export { countsInStatistics, failedEnd } from './calls/observer.ts';
export { outcomeOf, type RepeatGuard, RetryPolicy } from './calls/retry.ts';
export { CallCounts, type CountedTool, type Ended, type ToolName } from './calls/statistics.ts';
export {
  hubOfState,
  MAX_SUSPENDED,
  NO_SUCH_CALL,
  SUSPENDED_MS,
  type Suspendable,
  SuspendedCalls,
} from './calls/suspended.ts';
export { isAppOnly, showsApps } from './catalogue/app-only.ts';
export type { OwnDefinition } from './catalogue/builtin-tools/own-definition.ts';
export {
  CALL_TOOL,
  DESCRIBE_TOOL,
  FIND_TOOLS,
  READ_RESULT,
  SEARCH_TOOLS,
} from './catalogue/builtin-tools/search-tools.ts';
export { definitionTokens } from './catalogue/definition-tokens.ts';
export { type HeaderArgument, headerArguments } from './catalogue/header-arguments.ts';
export { readAnnouncement } from './catalogue/lists/announcement.ts';
export type { InstanceLists, ListItems } from './catalogue/lists/instance-lists.ts';
export { publicNames } from './catalogue/naming/public-names.ts';
export { NAMING_STRATEGIES } from './catalogue/naming/strategy.ts';
export { FollowedIndex } from './catalogue/search-mode/followed-index.ts';
export { decideSearch, type SearchDecision } from './catalogue/search-mode/search-decision.ts';
export { SearchedTool, searchedTool } from './catalogue/search-mode/searched-tool.ts';
export { SEARCH_PATIENCE_MS, ToolSearch, withSchema } from './catalogue/search-mode/tool-search.ts';
export { clientOf } from './catalogue/tool-view.ts';
export { agentNaming } from './catalogue/tool-views.ts';
export { cleanContent, cleanStructured } from './catalogue/untrusted/clean-content.ts';
export { cleanListed } from './catalogue/untrusted/clean-listed.ts';
export { cleanAndCut, cleanText, withoutUnseen } from './catalogue/untrusted/clean-text.ts';
export { cleanInstructions, quoteInstructions } from './catalogue/untrusted/instructions.ts';
export { withinCap } from './catalogue/within-cap.ts';
export { duplicateKeys } from './config/formats/json/json-parse.ts';
export type { Layer } from './config/layers.ts';
export { parseMcpConfig } from './config/parse.ts';
export { parseConditions } from './config/schema/rule-pattern.ts';
export { type AgentDef, type ConfigFrame, ExecutorPolicy, FileFrame } from './config/schema/schema.ts';
export { RemoteServer, StdioServer } from './config/schema/server-schema.ts';
export { SITES } from './config/schema/site-schema.ts';
export { namesConfigFile } from './config/sources/sources.ts';
export { issueSentence } from './config/validate/issue-sentence.ts';
export { judge } from './config/validate/judge.ts';
export { TokenFile } from './connections/auth/tokens/token-file.ts';
export { RENEWAL_PATIENCE_MS } from './connections/auth/tokens/token-shelf.ts';
export { type Answers, type Asker, MethodNotFound, REFUSED, Refusal } from './connections/client-features/answers.ts';
export { type InputRequired, InputRounds, isInputRequired, withInputs } from './connections/client-features/inputs.ts';
export { SERVER_LOG_LEVELS, type ServerLogLevel } from './connections/client-features/log-message.ts';
export { type PageToVisit, pagesIn } from './connections/client-features/pages-to-visit.ts';
export { sweepExecutors } from './connections/executors/sweep.ts';
export type { Link } from './connections/link.ts';
export type { Instance, Outfit } from './connections/links.ts';
export { ConnectionPool } from './connections/pool.ts';
export { invocationOf } from './connections/process/batch-file.ts';
export { variableOf } from './connections/process/command-candidates.ts';
export { findCommand } from './connections/process/find-command.ts';
export { type EraName, META, MODERN_VERSIONS } from './connections/protocol/envelope.ts';
export { type Greeting, LATEST_PROTOCOL_VERSION, PROTOCOL_VERSIONS } from './connections/protocol/handshake.ts';
export { nameIn } from './connections/protocol/request-headers.ts';
export {
  declaresTasks,
  hasTasks,
  pollMs,
  TASKS_EXTENSION,
  type Task,
  taskSupportOf,
} from './connections/protocol/task.ts';
export { callAsTask, followTask, type TaskRoom } from './connections/protocol/tasks.ts';
export { type AnswerId, findAnswerId, withId } from './connections/rpc/answer-id.ts';
export { plainOutcome } from './connections/rpc/answer-shape.ts';
export {
  type AnswerMessage,
  type ByteWaiter,
  type Patience,
  type ProgressParams,
  within,
} from './connections/rpc/conversation.ts';
export {
  cancelled,
  type RpcError,
  readRpcError,
  serverError,
  unreadableAnswer,
  withoutResult,
} from './connections/rpc/failures.ts';
export { type Frame, frameBytes, frameText, LineReader, parsedFrame, shortFrame } from './connections/rpc/frame.ts';
export type { Onlooker } from './connections/rpc/onlooker.ts';
export { outcomeIn, plainAnswer } from './connections/rpc/plain-answer.ts';
export { findOrphans } from './diagnostics/doctor/orphans.ts';
export { explainTool } from './diagnostics/explain/explain-tool.ts';
export { liveFacts } from './diagnostics/explain/live-facts.ts';
export { preflight } from './diagnostics/explain/preflight.ts';
export { type Recorded, type RecordOptions, recordServer } from './diagnostics/recording/record-server.ts';
export { RecordedServer } from './diagnostics/recording/recorded-server.ts';
export { readRecording } from './diagnostics/recording/recording.ts';
export { Replay } from './diagnostics/recording/replay.ts';
export { type RpcLines, readRpcLines } from './diagnostics/recording/rpc-lines.ts';
export { serveRecordingOverHttp } from './diagnostics/recording/serve-over-http.ts';
export { absentServers } from './host/lists/absent-servers.ts';
export { type OtherListsTool, usefulWith } from './host/lists/other-lists-tools.ts';
export { unusableFor } from './host/unusable-for.ts';
export { compileConditions } from './permissions/arguments.ts';
export { denialText, deniedByLockfile, notOffered } from './permissions/decision.ts';
export { toolFingerprint } from './permissions/lockfile/tool-terms.ts';
export { stillConnecting } from './resolve/availability.ts';
export { agentNamed, EXECUTORS, type ExecutorPolicy as EffectivePolicy, policyFor } from './resolve/policy.ts';
export { CUT_NOTICE } from './results/budget/fit.ts';
export { type ContentPart, describePart, textOfPart, withText } from './results/content.ts';
export { markedAsData } from './results/marked-as-data.ts';
export { base64Bytes } from './results/media/base64.ts';
export { type ModelContentOptions, type ModelPart, modelContent, modelText } from './results/model-content.ts';
export { nestsTooDeeply } from './results/nesting.ts';
export { readingParts } from './results/reading/reading-parts.ts';
export { toToolResult } from './results/tool-result.ts';
