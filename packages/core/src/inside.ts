/** What the hub shares with the library and nobody else should rely on. */
export { writePrivateFile } from './base/atomic-file.ts';
export { isAlive, withFileLock } from './base/file-lock.ts';
export { Scope } from './base/scope.ts';
export { NAMING_STRATEGIES } from './catalogue/naming/strategy.ts';
export { type AnswerId, withId } from './link/answer-id.ts';
export { isPlainAnswer } from './link/answer-shape.ts';
export type { AnswerMessage, ProgressParams, Waiter } from './link/conversation.ts';
export { type Frame, frameBytes, frameText } from './link/frame.ts';
export { LATEST_PROTOCOL_VERSION, PROTOCOL_VERSIONS } from './link/handshake.ts';
export type { Link } from './link/link.ts';
