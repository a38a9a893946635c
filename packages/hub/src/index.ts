export { AGENT_ID } from './agents/agent-config.ts';
export { AGENT_IDS } from './agents/agent-ids.ts';
export { backUp } from './backup.ts';
export { serverFingerprint } from './front/fingerprint.ts';
export { machineView } from './front/machine-view.ts';
export type {
  HoldNotice,
  PipeAnswer,
  PipeGreeting,
  PipeProject,
  PipeQuestion,
  ProjectAnswer,
  WorkPlace,
} from './front/pipe-words.ts';
export { type Hub, type HubOptions, type Served, startHub } from './hub.ts';
export { type Bearer, METRICS } from './store/bearer.ts';
export { tokenDigest } from './store/good-tokens.ts';
export { findHub } from './store/hub-file.ts';
export type { HubFile } from './store/read-hub-file.ts';
export { TokenBook } from './store/token-book.ts';
export { type ListedToken, TOKEN_LIMITS } from './store/token-terms.ts';
export { otlpSettings } from './traces/otlp-settings.ts';
