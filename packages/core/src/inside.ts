/** What Junctor's own packages share and nobody else should rely on. */
export { writeFileAtomic } from './base/atomic-file.ts';
export { sentenceOf } from './base/error.ts';
export { isAlive, withFileLock } from './base/file-lock.ts';
export { LOG_LEVELS, Log, type LogLevel } from './base/log.ts';
export { nearest } from './base/nearest.ts';
export { MASK, namesSecret, Redactor } from './base/redact.ts';
export { Scope } from './base/scope.ts';
export { NAMING_STRATEGIES } from './catalogue/naming/strategy.ts';
export { addServer } from './config/edit.ts';
export {
  dataDirectory,
  newProjectFile,
  ownSurroundings,
  type Surroundings,
  userConfigPath,
} from './config/places.ts';
export { describeProblem } from './config/problem.ts';
export { SERVER_ID } from './config/schema.ts';
export { type AnswerId, withId } from './link/answer-id.ts';
export type { AnswerMessage, ProgressParams, Waiter } from './link/conversation.ts';
export { type Frame, frameBytes } from './link/frame.ts';
export { LATEST_PROTOCOL_VERSION, PROTOCOL_VERSIONS } from './link/handshake.ts';
export type { Link } from './link/link.ts';
