/** What a command needs before it knows what to do: small, and quick to load. For Junctor's own packages. */

export { argumentLines } from './base/argument-lines.ts';
export { type ErrorCode, isJunctorError, JunctorError, type NextStep } from './base/error.ts';
export { headAndTail } from './base/head-and-tail.ts';
export { Log, type LogLevel } from './base/log.ts';
export { maskArguments } from './base/mask-arguments.ts';
export { nearest } from './base/nearest.ts';
export { plainText } from './base/plain-text.ts';
export { namesSecret, Redactor } from './base/redact.ts';
export { errorFrom, linesOf, stepAtCommandLine, type Told, toldOf } from './base/told.ts';
export { escapeUnseen } from './base/unseen.ts';
export { visibleText } from './base/visible-text.ts';
export { cleanText } from './catalogue/untrusted/clean-text.ts';
export { agentHint, agentMeant } from './config/agent-hint.ts';
export { agentId } from './config/agent-id.ts';
export { AGENT_NAMES, DIALECT_NAMES, type DialectName, isDialectName } from './config/dialects/dialect.ts';
export {
  dataDirectory,
  ownSurroundings,
  policyPath,
  projectFolderOf,
  type Surroundings,
  upwards,
} from './config/sources/places.ts';
export { unknownServer } from './resolve/unknown-server.ts';
export { VERSION } from './version.ts';
