/** What a command needs before it knows what to do: small, and quick to load. For Junctor's own packages. */

export { type ErrorCode, isJunctorError, JunctorError, type NextStep } from './base/error.ts';
export { Log, type LogLevel } from './base/log/log.ts';
export { maskArguments } from './base/log/mask-arguments.ts';
export { namesSecret, Redactor } from './base/log/redact.ts';
export { argumentLines } from './base/text/argument-lines.ts';
export { headAndTail } from './base/text/head-and-tail.ts';
export { nearest } from './base/text/nearest.ts';
export { plainText } from './base/text/plain-text.ts';
export { escapeUnseen } from './base/text/unseen.ts';
export { visibleText } from './base/text/visible-text.ts';
export { errorFrom, linesOf, stepAtCommandLine, type Told, toldOf } from './base/told.ts';
export { VERSION } from './base/version.ts';
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
