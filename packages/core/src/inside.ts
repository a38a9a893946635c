/** What Junctor's own packages share and nobody else should rely on. */
export { writeFileAtomic } from './base/atomic-file.ts';
export { sentenceOf } from './base/error.ts';
export { isAlive, withFileLock } from './base/file-lock.ts';
export { Log } from './base/log.ts';
export { nearest } from './base/nearest.ts';
export { namesSecret, Redactor } from './base/redact.ts';
export { Scope } from './base/scope.ts';
export { NAMING_STRATEGIES } from './catalogue/naming/strategy.ts';
export { DIALECT_NAMES, type Dialect, type DialectName, isDialectName } from './config/dialects/dialect.ts';
export { DIALECTS, dialectNamed } from './config/dialects/registry.ts';
export { addServer, changeServers, previewChange, removeServer, switchServer } from './config/edit.ts';
export { explainServer, type ServerExplanation } from './config/explain.ts';
export type { Place } from './config/formats/document.ts';
export { formatName, loadFormat } from './config/formats/format.ts';
export { isEnabled, type Layer } from './config/layers.ts';
export { readText } from './config/load.ts';
export { maskDefinition } from './config/masking.ts';
export {
  dataDirectory,
  newProjectFile,
  ownSurroundings,
  projectFolder,
  type Surroundings,
  userConfigPath,
} from './config/places.ts';
export { describeProblem } from './config/problem.ts';
export { readConfig } from './config/read.ts';
export { SERVER_ID, TRANSPORTS } from './config/schema.ts';
export type { KeptSecrets } from './config/secrets/kept-secrets.ts';
export { openSecrets } from './config/secrets/open-secrets.ts';
export { checkSecretName, MAX_SECRET_BYTES } from './config/secrets/secret-store.ts';
export { literal, parseTemplate } from './config/template.ts';
export { TrustBook, type TrustState } from './config/trust.ts';
export { type AnswerId, withId } from './link/answer-id.ts';
export type { AnswerMessage, ProgressParams, Waiter } from './link/conversation.ts';
export { type Frame, frameBytes } from './link/frame.ts';
export { LATEST_PROTOCOL_VERSION, PROTOCOL_VERSIONS } from './link/handshake.ts';
export type { Link } from './link/link.ts';
