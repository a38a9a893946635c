/** Changing what is written, for Junctor's own commands. */
export { writeFileAtomic, writePrivateFile, writeSharedFile } from './base/files/atomic-file.ts';
export { unifiedDiff } from './base/text/unified-diff.ts';
export { type AgentDocument, documentOf, readAgentDocument } from './config/agent-files/agent-document.ts';
export { agentDialect, agentFile } from './config/agent-files/agent-file.ts';
export { spokenBy } from './config/agent-files/agent-transports.ts';
export { removeOldBackups } from './config/agent-files/backups.ts';
export { type Drift, describeDrift } from './config/agent-files/drift.ts';
export {
  ANY_TOKEN_VARIABLE,
  connectCommand,
  HUB_KEY,
  hubEntry,
  JUNCTOR_BY_NAME,
  type ProgramCommand,
  tokenVariable,
  USUAL_HUB_URL,
} from './config/agent-files/hub-entry.ts';
export { inlineSettings } from './config/agent-files/inline-settings.ts';
export { planWrite, type WantedServer } from './config/agent-files/plan-write.ts';
export { checkWritten, previewRemoval, type Removed, removeWritten } from './config/agent-files/remove-written.ts';
export type { AgentTarget } from './config/agent-files/store-change.ts';
export {
  abandonedFiles,
  previewUndo,
  releaseServers,
  type Undone,
  undoWrite,
} from './config/agent-files/undo-write.ts';
export { holdServers, previewServers, type ServersWritten, writeServers } from './config/agent-files/write-servers.ts';
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
export { type FoundSecret, type Hidden, hideSecrets, isSecretOfFile } from './config/masking/hide-secrets.ts';
export { learnSecrets } from './config/masking/learn-secrets.ts';
export { type Pasted, readPasted } from './config/reading/pasted/read-pasted.ts';
export type { KeptSecrets } from './config/secrets/kept-secrets.ts';
export { openSecretKeys, openSecrets } from './config/secrets/open-secrets.ts';
export { seal, unseal } from './config/secrets/sealed-box.ts';
export type { KeyKind, SecretKeys } from './config/secrets/secret-key.ts';
export { checkSecretName, MAX_SECRET_BYTES } from './config/secrets/secret-store.ts';
export { collectImports, type FoundServer } from './config/sources/imports.ts';
export {
  discoverMcpConfigPath,
  localConfigPath,
  newLocalFile,
  newProjectFile,
  userConfigPath,
} from './config/sources/places.ts';
export { literal, parseTemplate, secretNames } from './config/template.ts';
export { withApprovedPowers } from './config/trust/approved-powers.ts';
export { type AskedPower, describePower } from './config/trust/project-powers.ts';
export { POWERS_ID, TrustBook, type TrustState } from './config/trust/trust.ts';
export { GrantsFile } from './permissions/grants/grants-file.ts';
