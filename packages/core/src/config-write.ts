/** Changing what is written, for Junctor's own commands. */
export { writeFileAtomic, writePrivateFile, writeSharedFile } from './base/atomic-file.ts';
export { unifiedDiff } from './base/unified-diff.ts';
export { withApprovedPowers } from './config/approved-powers.ts';
export type { Dialect } from './config/dialects/dialect.ts';
export { DIALECTS, dialectNamed } from './config/dialects/registry.ts';
export {
  addServer,
  changeFrame,
  changeServers,
  type EditOptions,
  previewChange,
  removeServer,
  switchServer,
} from './config/edit.ts';
export type { Edit } from './config/formats/document.ts';
export { formatName, loadFormat } from './config/formats/format.ts';
export { type FoundSecret, type Hidden, hideSecrets, isSecretOfFile } from './config/hide-secrets.ts';
export { collectImports, type FoundServer } from './config/imports.ts';
export { learnSecrets } from './config/learn-secrets.ts';
export { type AgentDocument, documentOf, readAgentDocument } from './config/materialise/agent-document.ts';
export { agentDialect, agentFile } from './config/materialise/agent-file.ts';
export { spokenBy } from './config/materialise/agent-transports.ts';
export { removeOldBackups } from './config/materialise/backups.ts';
export { type Drift, describeDrift } from './config/materialise/drift.ts';
export {
  ANY_TOKEN_VARIABLE,
  connectCommand,
  HUB_KEY,
  hubEntry,
  JUNCTOR_BY_NAME,
  type ProgramCommand,
  tokenVariable,
  USUAL_HUB_URL,
} from './config/materialise/hub-entry.ts';
export { inlineSettings } from './config/materialise/inline-settings.ts';
export { planWrite, type WantedServer } from './config/materialise/plan-write.ts';
export { checkWritten, previewRemoval, type Removed, removeWritten } from './config/materialise/remove-written.ts';
export type { AgentTarget } from './config/materialise/store-change.ts';
export {
  abandonedFiles,
  previewUndo,
  releaseServers,
  type Undone,
  undoWrite,
} from './config/materialise/undo-write.ts';
export { holdServers, previewServers, type ServersWritten, writeServers } from './config/materialise/write-servers.ts';
export { type Pasted, readPasted } from './config/pasted/read-pasted.ts';
export {
  discoverMcpConfigPath,
  localConfigPath,
  newLocalFile,
  newProjectFile,
  userConfigPath,
} from './config/places.ts';
export { type AskedPower, describePower } from './config/project-powers.ts';
export type { KeptSecrets } from './config/secrets/kept-secrets.ts';
export { openSecretKeys, openSecrets } from './config/secrets/open-secrets.ts';
export { seal, unseal } from './config/secrets/sealed-box.ts';
export type { KeyKind, SecretKeys } from './config/secrets/secret-key.ts';
export { checkSecretName, MAX_SECRET_BYTES } from './config/secrets/secret-store.ts';
export { literal, parseTemplate, secretNames } from './config/template.ts';
export { POWERS_ID, TrustBook, type TrustState } from './config/trust.ts';
export { GrantsFile } from './grants-file.ts';
